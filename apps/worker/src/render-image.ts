import { claimRender, finishRender } from "@atelier/generations";
import type { RenderVerdict } from "@atelier/queue";
import type { RenderDependencies } from "./dependencies.ts";
import { giveBack } from "./give-back.ts";
import { discardStaged } from "./staging.ts";
import { assertTriesLeft } from "./steps/assert-tries-left.ts";
import { generate } from "./steps/generate.ts";
import { loadReferences } from "./steps/load-references.ts";
import { moderate } from "./steps/moderate.ts";
import { upload } from "./steps/upload.ts";
import { watermark } from "./steps/watermark.ts";
import { timeSteps } from "./time-steps.ts";

/**
 * The whole way of one image: moderation → generate → watermark → upload.
 *
 * The process may die at any line, and the job may be handed out twice. What holds it together:
 *
 * - The claim raises `attempt`; whatever an earlier claim still tries to write is refused.
 * - Moderation repeats: it costs nothing and always comes to the same decision.
 * - Generating writes its intent first and stages the raw bytes last, so that a provider is not
 *   paid twice for one image.
 * - Marking and uploading repeat under keys of this attempt, which nothing points to until the end.
 * - The end is one transaction: images recorded, the render done, what is next made ready, and when
 *   nothing is left the generation settled and completed.
 */
export async function renderImage(
  renderId: string,
  lane: string,
  dependencies: RenderDependencies,
): Promise<RenderVerdict> {
  const { database, queues, logger, failpoint } = dependencies;
  const { step, durationsMs } = timeSteps();

  const claim = await claimRender(database.repeatable, renderId, lane);
  if (claim === null) return { kind: "done" };
  failpoint("after-claim");

  try {
    assertTriesLeft(claim, dependencies);
    const signal = AbortSignal.timeout(claim.remainingMs);

    const decision = await step("moderation", moderate(claim, dependencies, signal));
    failpoint("after-moderation");
    const references = await loadReferences(claim, dependencies, signal);
    const made = await generate(claim, decision, references, step, dependencies, signal);
    failpoint("after-staging");
    const marked = await step(
      "watermark",
      watermark(claim, made.image, references, dependencies, signal),
    );
    failpoint("after-marking");
    const images = await step("upload", upload(claim, marked, dependencies));

    failpoint("before-finish");
    const finished = await finishRender(database, claim, images, made.turn);
    failpoint("after-finish");
    if (finished.kind === "advanced") await queues.dispatch(finished.ready);
    // A successor may still need what is staged.
    if (finished.kind === "stale") return { kind: "done" };
    await discardStaged(claim, dependencies);
    const { generationId, attempt, role, model } = claim;
    logger.info({ generationId, renderId, attempt, role, lane, model, durationsMs }, "render done");
    return { kind: "done" };
  } catch (error) {
    return giveBack(claim, error, dependencies);
  }
}
