import { AppError, type AfterTask } from "@atelier/schemas";
import sharp from "sharp";
import { pathOf, sizeOfStep } from "../../after-steps.ts";
import type { ProviderImage } from "../../provider.ts";
import { mayHaveManifest } from "../edit/canvas.ts";
import { CallEnded } from "../http/call-ended.ts";
import { cutOut } from "./cut-out.ts";
import { scaleUp } from "./upscale.ts";

/**
 * Changes the image of any model by a built-in tool. A vendor's file with a manifest of its own stays
 * available as `original`.
 *
 * @param index of the step in its request, for errors.
 * @throws AppError when the step cannot be taken, whatever is tried again; any other error when the image
 *   does not decode.
 */
export async function takeStep(
  image: ProviderImage,
  task: AfterTask,
  index: number,
): Promise<ProviderImage> {
  const { autoOrient, hasAlpha } = await sharp(image.bytes).metadata();
  const pixels = sizeOfStep(task, autoOrient, index);
  const original = image.original ?? (mayHaveManifest(image.bytes) ? image.bytes : undefined);
  const changed =
    task.kind === "upscale"
      ? await scaleUp({ ...task, image, mask: null }, pixels)
      : await cutOut({ image }).catch((error: unknown) => {
          throw explain(error, index);
        });
  return { hasAlpha, ...changed, ...(original !== undefined && { original }) };
}

function explain(error: unknown, index: number): unknown {
  if (!(error instanceof CallEnded) || error.outcome.kind !== "invalid-request") return error;
  return new AppError(
    "model_not_capable",
    `The background of the image cannot be removed: ${error.outcome.message}. Ask for a flat background in the prompt, or omit the step; nothing was charged.`,
    { details: { capability: "remove-background" }, cause: error },
  ).at(pathOf(index));
}
