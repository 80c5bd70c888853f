import { Link } from "wouter";
import { formatNumber } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import type { Lane } from "../queries.ts";

/** The accounts with the most unfinished images in each lane. */
export function Busiest({ lanes }: { readonly lanes: readonly Lane[] }) {
  const { busiest, columns, idle } = texts.console.health;
  const rows = lanes.flatMap(({ name: lane, accounts }) =>
    accounts.map((account) => ({ ...account, lane })),
  );
  if (rows.length === 0) return <p className={styles.quiet}>{idle}</p>;
  return (
    <Table name={busiest} isStacked>
      <thead>
        <tr>
          <th scope="col">{columns.lane}</th>
          <th scope="col">{columns.account}</th>
          <th scope="col" className="num">
            {columns.waiting}
          </th>
          <th scope="col" className="num">
            {columns.running}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ lane, id, name, waiting, running }) => (
          <tr key={`${lane} ${id}`}>
            <td data-name={columns.lane}>{lane}</td>
            <th scope="row" dir="auto" className={styles.whole}>
              <Link href={`/accounts/${id}`}>{name}</Link>
            </th>
            <td className="num" data-name={columns.waiting}>
              {formatNumber(waiting)}
            </td>
            <td className="num" data-name={columns.running}>
              {formatNumber(running)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
