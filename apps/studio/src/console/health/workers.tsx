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
    <Table name={texts.console.health.workers}>
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
            <th scope="row">
              {worker.host} {worker.is_silent && <Silence of={worker} among={workers} />}
            </th>
            <td>{worker.version}</td>
            <td>{worker.lanes.join(", ")}</td>
            <td>{formatTime(worker.started_at)}</td>
            <td>{formatExactTime(worker.seen_at)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Says since when a worker is silent, and what an operator can do. */
function Silence(props: { readonly of: Worker; readonly among: readonly Worker[] }) {
  const { of: worker, among } = props;
  const { replaced, replacedBy, silent, silentHint, notServed } = texts.console.health;
  const next = among.find(({ id }) => id === worker.replaced_by);
  const running = among.filter(({ is_silent: isSilent }) => !isSilent);
  const missing = worker.lanes.filter((lane) => !running.some(({ lanes }) => lanes.includes(lane)));
  const isBad = next === undefined || missing.length > 0;
  return (
    <>
      <Badge kind={isBad ? "bad" : "neutral"}>{isBad ? silent : replaced}</Badge>
      <p className={styles.quiet}>
        {isBad
          ? silentHint(formatTime(worker.seen_at))
          : replacedBy(next.host, formatTime(next.started_at))}
        {missing.length > 0 && ` ${notServed(missing.join(", "))}`}
      </p>
    </>
  );
}
