import { endIdempotentWait } from "@atelier/generations/accept";
import { findGeneration, type FoundGeneration } from "@atelier/generations/jobs";
import type { Needs } from "../../dependencies.ts";
import type { Requester, Submission } from "../accept/submit.ts";

/**
 * Waits for the generation of a submission for the requested time.
 *
 * @returns null when the generation is not final by then.
 */
export async function waitForResult(
  submission: Submission,
  requester: Pick<Requester, "caller" | "idempotency">,
  dependencies: Needs<"database" | "failpoint">,
): Promise<FoundGeneration | null> {
  const final =
    submission.kind === "replayed"
      ? submission.final
      : await waitForAccepted(submission, requester, dependencies);
  dependencies.failpoint("before-response");
  return final;
}

async function waitForAccepted(
  { generationId, waiting }: Submission & { readonly kind: "accepted" },
  { caller, idempotency }: Pick<Requester, "caller" | "idempotency">,
  { database }: Needs<"database">,
): Promise<FoundGeneration | null> {
  if (waiting === null) return null;
  const { accountId } = caller;
  if (!(await waiting)) {
    if (idempotency !== null) {
      // The wait is over: from now on, repeated requests get the job.
      const { key } = idempotency;
      await endIdempotentWait(database.repeatable, { accountId, generationId, key });
    }
    return null;
  }
  const generation = await findGeneration(database.repeatable, { accountId, generationId });
  if (generation === null) throw new Error(`generation ${generationId} is gone`);
  return generation;
}
