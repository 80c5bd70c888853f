import { claimRender, finishRender } from "@atelier/generations";
import type { RenderVerdict } from "@atelier/queue";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import type { RenderDependencies } from "./dependencies.ts";
import { dispatchNext } from "./dispatch-next.ts";
import { endFailedTry } from "./end-failed-try.ts";
import { discardReferences } from "./kept-references.ts";
import { limitTime } from "./limit-time.ts";
import { recordRender } from "./record-render.ts";
import { discardStaged } from "./staging.ts";
import { assertTriesLeft } from "./steps/assert-tries-left.ts";
import { generate } from "./steps/generate.ts";
import { loadReferences } from "./steps/load-references.ts";
import { moderate } from "./steps/moderate.ts";
import { moderateImage } from "./steps/moderate-image.ts";
import { upload } from "./steps/upload.ts";
import { watermark } from "./steps/watermark.ts";

/**
 * The whole way of one image: moderation → generate → watermark → upload.
 *
 * The process may die at any line, and the job may be handed out twice. What holds it together:
 *
 * - The claim raises `attempt`; whatever an earlier claim still tries to write is refused.
 * - Moderation repeats until what it allowed is written down, with the intent to call.
 * - Generating writes its intent first and stages the raw bytes last, so that a provider is not
 *   paid twice for one image.
 * - Marking and uploading repeat under keys of this attempt, which nothing points to until the end.
 * - The end is one transaction: images recorded, the render done, what is next made ready, and when
 *   nothing is left the generation settled and completed.
 *
 * @param leaving aborted when this worker has no more time: the render is handed back.
 */
export async function renderImage(
  renderId: string,
  lane: string,
  dependencies: RenderDependencies,
  leaving: AbortSignal,
): Promise<RenderVerdict> {
  const { database, storage, imageModerator, logger, maxTries, failpoint } = dependencies;

  const claim = await claimRender(database.repeatable, renderId, lane);
  if (claim === null) {
    // A story that its client has cancelled begins no further image.
    await cancelIfRequested(renderId, dependencies, lane);
    return { kind: "done" };
  }
  using time = limitTime(claim.remainingMs, leaving);
  const { signal } = time;
  const record = recordRender(claim, dependencies);
  const { step } = record;
  failpoint("after-claim");

  try {
    assertTriesLeft(claim, maxTries);

    const decision = await step("moderation", () => moderate(claim, dependencies, signal));
    failpoint("after-moderation");
    const references = await step("references", () => loadReferences(claim, dependencies, signal));
    const made = await step("generate", () =>
      generate(claim, decision, references, record, dependencies, signal),
    );
    failpoint("after-staging");
    if (imageModerator !== null) {
      await step("image-moderation", () =>
        moderateImage(claim, made.image, imageModerator, dependencies, signal),
      );
    }
    const marked = await step("watermark", () =>
      watermark(claim, made.image, references, dependencies, signal),
    );
    failpoint("after-marking");
    const images = await step("upload", () => upload(claim, marked, storage, failpoint));

    failpoint("before-finish");
    const finished = await step("finish", () => finishRender(database, claim, images, made.turn));
    failpoint("after-finish");
    if (finished.kind === "advanced") {
      if (finished.cancelRequested) await cancelIfRequested(renderId, dependencies);
      else await dispatchNext(finished.ready, claim, dependencies);
    }
    // A successor may still need what is staged.
    if (finished.kind !== "stale") await discardStaged(claim, storage, logger);
    if (finished.kind === "completed") await discardReferences(claim, dependencies);
    record.ended(
      finished.kind === "stale" ? { outcome: "stale" } : { outcome: "done", images, finished },
    );
    return { kind: "done" };
  } catch (error) {
    return endFailedTry(claim, error, record, dependencies, leaving.aborted);
  }
}
