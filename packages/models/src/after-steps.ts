import {
  AppError,
  readAfterStep,
  type AfterStep,
  type AfterTask,
  type PixelSize,
  maxEditPixels,
} from "@atelier/schemas";
import type { Catalogue } from "./catalogue.ts";
import { priceOf } from "./prices.ts";
import { sizeOfResult } from "./tool-size.ts";

/**
 * Finds the built-in models and prices of the steps that a request names. Only built-in models take steps,
 * because a worker takes them itself.
 *
 * @param names valid steps, such as `upscale:2`.
 * @throws AppError `model_not_capable` when there is no such model, or the key may not use it.
 */
export function planSteps(
  names: readonly string[],
  { entries }: Pick<Catalogue, "entries">,
): AfterStep[] {
  return names.map((name, index) => {
    const task = readAfterStep(name);
    const { kind } = task;
    const entry = entries.find(
      ({ operations, procedural, provider }) =>
        procedural && provider.startsWith("builtin") && operations.includes(kind),
    );
    if (entry === undefined) {
      throw new AppError(
        "model_not_capable",
        `No built-in model for ${kind} is available to this key. Omit the step.`,
        { details: { capability: kind } },
      ).at(pathOf(index));
    }
    const price = priceOf(entry, entry.default_image_size, { operation: kind });
    return { task, model: entry.id, priceMicroEur: Number(price) };
  });
}

/** The price of steps per image, in micro-EUR. */
export function priceOfAfter(steps: readonly AfterStep[] = []): bigint {
  return steps.reduce((sum, { priceMicroEur }) => sum + BigInt(priceMicroEur), 0n);
}

/**
 * Checks the sizes of the images of all steps.
 *
 * @param source the size of the image that the model makes.
 * @throws AppError `unsupported_image_size` for the first step that would exceed a limit.
 */
export function assertStepSizes(steps: readonly AfterStep[], source: PixelSize): void {
  let size = source;
  for (const [index, { task }] of steps.entries()) size = sizeOfStep(task, size, index);
}

/**
 * Computes the size of the image after a step.
 *
 * @param index of the step in the request.
 * @throws AppError `unsupported_image_size` when the image is too large for the step, or would become so.
 */
export function sizeOfStep(task: AfterTask, source: PixelSize, index: number): PixelSize {
  if (task.kind === "remove-background" && source.width * source.height > maxEditPixels) {
    throw new AppError(
      "unsupported_image_size",
      `The image has ${source.width}x${source.height} pixels, and the background of at most ${maxEditPixels} can be removed. Remove it before upscaling, or use a smaller image.`,
      { details: { nearest: [] } },
    ).at(pathOf(index));
  }
  try {
    return sizeOfResult(task, source) ?? source;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { details: { nearest: [] } }).at(pathOf(index));
  }
}

/** The path of a step in its request. */
export function pathOf(index: number): string {
  return `after.${index}`;
}
