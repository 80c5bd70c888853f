import { claimRender, needsNewerWorker } from "@atelier/generations/claims";
import type { RenderMark } from "@atelier/generations/endings";
import type { MarkedImage } from "@atelier/provenance";
import type { RenderVerdict } from "@atelier/queue";
import type { RenderDependencies } from "../dependencies.ts";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import { moveUpNext } from "./dispatch-next.ts";
import { endFailedTry } from "./end-failed-try.ts";
import { followUp } from "./follow-up.ts";
import { createLeave, type Leaving } from "./leave.ts";
import { limitTime } from "./limit-time.ts";
import { recordRender } from "./record-render.ts";
import { applyAfter } from "./steps/apply-after.ts";
import { assertTriesLeft } from "./steps/assert-tries-left.ts";
import { checkUnused } from "./steps/check-unused.ts";
import { forceOutcome } from "./steps/force-outcome.ts";
import { generate } from "./steps/generate.ts";
import { loadReferences } from "./steps/load-references.ts";
import { moderate } from "./steps/moderate.ts";
import { moderateInputs } from "./steps/moderate-inputs.ts";
import { moderateImage } from "./steps/moderate-image.ts";
import { prepareInputs } from "./steps/prepare-inputs.ts";
import { upload } from "./steps/upload.ts";
import { watermark } from "./steps/watermark.ts";

/** While versions are mixed: another worker may take the entry from the queue. */
const leftToNewerWorker = {
  kind: "retry",
  reason: "only a newer worker can make this image",
  delayMs: 1_000,
} as const;

/** The entry for the registry; all files of an image carry the same marks. */
function markOf([first]: readonly MarkedImage[]): RenderMark | null {
  if (first === undefined) return null;
  return { ...first.softBinding, synthetic: first.synthetic, hasDossier: true };
}

/**
 * The pipeline of one image: moderation → generate → steps after it → watermark → upload.
 *
 * The process may die at any line, and a queue entry may be delivered twice. The pipeline stays correct
 * because:
 *
 * - Claiming increments `attempt`; writes of earlier claims are refused.
 * - Moderation judges all texts of the generation, and repeats until its approval is stored, at the latest
 *   together with the intent to call.
 * - Generating records its intent first and stages the raw bytes last, so that a provider is not paid
 *   twice for one image.
 * - Steps repeat on the staged bytes.
 * - Watermarking and uploading repeat under keys of this attempt, which no row refers to until the
 *   end.
 * - One statement ends the render, or one transaction when the generation has several: it records the images,
 *   readies the next renders, and settles and completes the generation when no render is left.
 *
 * @param leaving when this worker stops: the render is returned to the queue, at once unless its call would be
 *   lost with it.
 */
export async function renderImage(
  renderId: string,
  lane: string,
  dependencies: RenderDependencies,
  leaving: Leaving,
): Promise<RenderVerdict> {
  const { database, finisher, storage, imageModerator, maxTries, failpoint } = dependencies;

  const claim = await claimRender(database, renderId, lane);
  if (claim === null) {
    // No further image of a cancelled generation is started.
    await cancelIfRequested(renderId, dependencies, lane);
    if (await needsNewerWorker(database.repeatable, renderId)) return leftToNewerWorker;
    return { kind: "done" };
  }
  using leave = createLeave(leaving);
  using time = limitTime(claim.remainingMs, leave.signal);
  const { signal } = time;
  const record = recordRender(claim, dependencies);
  const { step } = record;
  failpoint("after-claim");
  const endAttendance = dependencies.attendance.enter(claim);
  const endOrder = dependencies.liveFirst.enter(claim);

  try {
    assertTriesLeft(claim, maxTries);

    const decision = await step("moderation", () => moderate(claim, dependencies, signal));
    failpoint("after-moderation");
    forceOutcome(claim);
    // Images of test keys wait while images of live keys are in progress.
    await dependencies.liveFirst.waitFor(claim, signal);
    const references = await step("references", async () => {
      await checkUnused(claim, decision, dependencies, signal, record.spent);
      return loadReferences(claim, dependencies, signal, record.spent);
    });
    if (imageModerator !== null) {
      await step("input-moderation", () =>
        moderateInputs(claim, decision, references, imageModerator, dependencies, signal),
      );
    }
    const inputs = await step("inputs", () => prepareInputs(claim, references, dependencies));
    const generated = await step("generate", () =>
      generate(claim, { decision, inputs }, { record, signal, leave }, dependencies),
    );
    failpoint("after-staging");
    if (imageModerator !== null) {
      await step("image-moderation", () =>
        moderateImage(claim, generated.image, imageModerator, dependencies, signal),
      );
    }
    // Images of batches leave the processors to all others.
    const marked = await dependencies.othersFirst.run(
      claim,
      async () => {
        const changed =
          claim.spec.after === undefined
            ? generated
            : await step("after", () => applyAfter(claim, generated, dependencies, signal));
        return step("watermark", () => watermark(claim, changed, references, dependencies, signal));
      },
      signal,
    );
    failpoint("after-marking");
    const images = await step("upload", () => upload(claim, marked, storage, failpoint));

    failpoint("before-finish");
    const finished = await step("finish", () =>
      finisher.finish(claim, images, generated, markOf(marked)),
    );
    failpoint("after-finish");
    await followUp(claim, finished, generated, dependencies);
    record.ended(
      finished.kind === "stale" ? { outcome: "stale" } : { outcome: "done", images, finished },
    );
    return { kind: "done" };
  } catch (error) {
    return await endFailedTry(claim, error, record, dependencies, leave.signal.aborted);
  } finally {
    endAttendance();
    endOrder();
    await moveUpNext(claim, dependencies);
  }
}
