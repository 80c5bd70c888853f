import type { Usage, UsageGroup } from "@atelier/schemas";
import { formatEur, formatNumber } from "../../format.ts";
import { texts } from "../../texts/usage.ts";
import { Table } from "../../ui/table.tsx";
import styles from "./usage.module.css";
import { measureOf, type Measure, type NamedRow } from "./usage-query.ts";

/** The figures of the bars. Models, keys and kinds have their bars here. */
export function UsageTable(props: {
  readonly rows: readonly NamedRow[];
  readonly group: UsageGroup;
  readonly measure: Measure;
  readonly total: Usage["total"];
}) {
  const { rows, group, measure, total } = props;
  const used = group === "day" ? rows.filter(({ jobs }) => jobs > 0).toReversed() : rows;
  const highest = Math.max(...used.map((row) => measureOf(row, measure)), 0);
  return (
    <Table name={texts.usage.table(texts.usage.groups[group])}>
      <thead>
        <tr>
          <th scope="col">{texts.usage.groups[group]}</th>
          {group !== "day" && (
            <th scope="col" className={styles.share}>
              <span className="sr">{texts.usage.share}</span>
            </th>
          )}
          <th scope="col" className="num">
            {texts.usage.jobs}
          </th>
          <th scope="col" className="num">
            {texts.usage.failed}
          </th>
          <th scope="col" className="num">
            {texts.usage.images}
          </th>
          <th scope="col" className="num">
            {texts.usage.cost}
          </th>
        </tr>
      </thead>
      <tbody>
        {used.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            {group !== "day" && (
              <td className={styles.share}>
                <meter
                  className={styles.meter}
                  min={0}
                  max={highest || 1}
                  value={measureOf(row, measure)}
                  aria-label={texts.usage.measures[measure]}
                />
              </td>
            )}
            <Sums sums={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{texts.usage.total}</th>
          {group !== "day" && <td className={styles.share} />}
          <Sums sums={total} />
        </tr>
      </tfoot>
    </Table>
  );
}

function Sums({ sums }: { readonly sums: Usage["total"] }) {
  return (
    <>
      <td className="num">{formatNumber(sums.jobs)}</td>
      <td className="num">{formatNumber(sums.failed)}</td>
      <td className="num">{formatNumber(sums.images)}</td>
      <td className="num">{formatEur(sums.cost_eur)}</td>
    </>
  );
}
