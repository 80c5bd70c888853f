import { formatExactTime, formatTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import type { Worker } from "../queries.ts";

/** The workers of the last 24 hours. */
export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  const { columns, noWorkers } = texts.console.health;
  if (workers.length === 0) return <p className={styles.quiet}>{noWorkers}</p>;
  return (
    <Table name={texts.console.health.workers} isStacked>
      <thead>
        <tr>
          <th scope="col">{columns.host}</th>
          <th scope="col">{columns.version}</th>
          <th scope="col">{columns.lanes}</th>
          <th scope="col">{columns.started}</th>
          <th scope="col">{columns.heartbeat}</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker.id}>
            <th scope="row" className={styles.whole}>
              {worker.host} {worker.is_silent && <Silence of={worker} among={workers} />}
            </th>
            <td data-name={columns.version}>{worker.version}</td>
            <td data-name={columns.lanes}>{worker.lanes.join(", ")}</td>
            <td data-name={columns.started}>{formatTime(worker.started_at)}</td>
            <td data-name={columns.heartbeat}>{formatExactTime(worker.seen_at)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Says since when a worker is silent, and what an operator can do. */
function Silence(props: { readonly of: Worker; readonly among: readonly Worker[] }) {
  const { of: worker, among } = props;
  const { replaced, replacedBy, silent, silentHint, othersGoOn, notServed } = texts.console.health;
  const next = among.find(({ id }) => id === worker.replaced_by);
  const running = among.filter(({ is_silent: isSilent }) => !isSilent);
  const missing = worker.lanes.filter((lane) => !running.some(({ lanes }) => lanes.includes(lane)));
  const isBad = next === undefined || missing.length > 0;
  return (
    <div className={styles.reasons}>
      <Badge kind={isBad ? "bad" : "neutral"}>{isBad ? silent : replaced}</Badge>
      <p>
        {isBad ? (
          <>
            {silentHint(formatTime(worker.seen_at))}{" "}
            {missing.length > 0 ? notServed(missing.join(", ")) : othersGoOn}
          </>
        ) : (
          replacedBy(next.host, formatTime(next.started_at))
        )}
      </p>
    </div>
  );
}
