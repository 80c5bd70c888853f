import type { JobStatus } from "@atelier/schemas";
import type { AdminJob } from "@atelier/schemas/admin";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";

const kinds: Partial<Record<JobStatus, "good" | "bad">> = { completed: "good", failed: "bad" };

/** The state of a job, and whether it is one of a test key. */
export function JobState({ job }: { readonly job: AdminJob }) {
  const { status, mode } = job;
  return (
    <>
      <TestBadge mode={mode} />
      <Badge kind={kinds[status] ?? "neutral"}>{texts.console.jobs.states[status]}</Badge>
    </>
  );
}
