import type { AdminJob } from "@atelier/schemas/admin";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";

const kinds = { completed: "good", failed: "bad" } as const;

/** The state of a job, and whether it is one of a test key. */
export function JobState({ job }: { readonly job: AdminJob }) {
  const { status, mode } = job;
  return (
    <>
      <TestBadge mode={mode} />
      <Badge kind={kinds[status as keyof typeof kinds] ?? "neutral"}>
        {texts.console.jobs.states[status]}
      </Badge>
    </>
  );
}
