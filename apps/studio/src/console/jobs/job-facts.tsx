import type { AdminJob } from "@atelier/schemas/admin";
import { Link } from "wouter";
import { messageOfCode } from "../../api.ts";
import { formatBytes, formatExactTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "../console.module.css";
import { Facts } from "../facts.tsx";

/** Whose job it is, what was requested, why it failed, and its files. */
export function JobFacts(props: {
  readonly account: { readonly id: string; readonly name: string } | null;
  /** Null for an archived job. */
  readonly job: AdminJob | null;
}) {
  const { account, job } = props;
  const named = texts.console.jobs;
  const { error: code, message } = (job?.error ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <>
      {typeof message === "string" && (
        <Notice kind="bad">
          <p>{messageOfCode({ code: String(code), message })}</p>
          <p>
            <code>{String(code)}</code>
          </p>
        </Notice>
      )}
      <Facts
        values={[
          [
            named.columns.account,
            account && (
              <Link href={`/accounts/${account.id}`} dir="auto">
                {account.name}
              </Link>
            ),
          ],
          [named.key, job?.key && `${job.key.name} …${job.key.last_four}`],
          [named.operation, job && `${job.operation}, ${job.model}`],
          [named.titleOf, job?.title],
          [named.batch, job?.batch_id && <code>{job.batch_id}</code>],
          [named.accepted, job && formatExactTime(job.created_at)],
          [named.ended, job?.completed_at && formatExactTime(job.completed_at)],
          [
            named.refusal,
            job?.refusal &&
              Object.values(job.refusal)
                .filter((part) => part !== null)
                .join(", "),
          ],
        ]}
      />
      {job !== null && job.files.length > 0 && (
        <ul className={styles.files} aria-label={named.files}>
          {job.files.map(({ storage_key: key, format, sha256, size_bytes: size, deleted_at }) => (
            <li key={key}>
              <span>
                {format.toUpperCase()}, {formatBytes(size)}
                {deleted_at !== null && `, ${named.deleted}`}
              </span>
              <code className={styles.id}>{sha256}</code>
              <CopyButton text={sha256} name={named.copyHash(format.toUpperCase())} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
