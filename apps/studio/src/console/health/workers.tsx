import { formatExactTime, formatTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import type { Worker } from "../queries.ts";

/** The workers of the last 24 hours. */
export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  const { columns, silent, noWorkers } = texts.console.health;
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
              {worker.host} {worker.is_silent && <Badge kind="bad">{silent}</Badge>}
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
