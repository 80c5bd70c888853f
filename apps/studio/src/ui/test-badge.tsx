import type { Job } from "@atelier/schemas";
import { texts } from "../texts.ts";
import { Badge } from "./badge.tsx";

/** Marks what was made with a test key, or a test key itself, before a space; nothing for others. */
export function TestBadge({ mode }: Pick<Job, "mode">) {
  if (mode !== "test") return null;
  return (
    <>
      <Badge kind="accent">
        <span title={texts.common.testHint}>{texts.common.test}</span>
      </Badge>{" "}
    </>
  );
}
