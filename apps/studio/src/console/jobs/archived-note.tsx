import { Link } from "wouter";
import { texts } from "../../texts/console.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Found } from "../queries.ts";

/** Says where the rows of an archived job are. */
export function ArchivedNote({ archived }: { readonly archived: NonNullable<Found["archived"]> }) {
  const { job_id: id, months } = archived;
  return (
    <Notice kind="neutral">
      <p>{texts.console.jobs.archived(months.join(", "))}</p>
      {id !== null && (
        <p>
          <Link href={`/jobs/${id}`}>{texts.console.jobs.openArchived}</Link>
        </p>
      )}
    </Notice>
  );
}
