import type { AdminJob } from "@atelier/schemas/admin";
import { Link } from "wouter";
import { messageOfCode } from "../../api.ts";
import { formatExactTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../facts.tsx";

/** Whose job it is, what was requested, and why it failed. */
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
    </>
  );
}
