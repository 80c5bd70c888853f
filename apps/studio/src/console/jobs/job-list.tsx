import type { AdminJob } from "@atelier/schemas/admin";
import { formatEur, formatExactTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import { JobLink } from "./job-link.tsx";
import { JobState } from "./job-state.tsx";

/** Several jobs that were found. */
export function JobList({ jobs }: { readonly jobs: readonly AdminJob[] }) {
  const { title, columns } = texts.console.jobs;
  return (
    <div className={styles.panel}>
      <Table name={title} isStacked>
        <thead>
          <tr>
            <th scope="col">{columns.time}</th>
            <th scope="col">{columns.job}</th>
            <th scope="col">{columns.account}</th>
            <th scope="col">{columns.model}</th>
            <th scope="col">{columns.state}</th>
            <th scope="col" className="num">
              {columns.charged}
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td>{formatExactTime(job.created_at)}</td>
              <th scope="row">
                <JobLink id={job.id} />
              </th>
              <td dir="auto" data-name={columns.account}>
                {job.account.name}
              </td>
              <td data-name={columns.model}>{job.model}</td>
              <td data-name={columns.state}>
                <JobState job={job} />
              </td>
              <td className="num" data-name={columns.charged}>
                {formatEur(job.charged_eur)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
