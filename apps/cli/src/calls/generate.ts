import type { Model } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat, Strictness } from "@atelier/schemas";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { prepareOutput, saveImages } from "./save-images.ts";

export interface GenerateFlags {
  readonly model?: string;
  readonly aspectRatio?: string;
  readonly size?: string;
  readonly strictness?: Strictness;
  readonly reference?: readonly { readonly url: string; readonly description: string }[];
  readonly format?: ImageFormat;
  readonly output: string;
  readonly idempotencyKey?: string;
}

/** Makes one image and saves it. */
export async function generate(
  { atelier, follow }: Caller,
  prompt: string,
  flags: GenerateFlags,
): Promise<Answer> {
  await prepareOutput("image", flags);
  const model = flags.model ?? (await firstModel({ atelier, follow }));
  const image = await atelier.generateImage(
    {
      model,
      prompt,
      aspect_ratio: flags.aspectRatio ?? null,
      image_size: flags.size ?? null,
      strictness: flags.strictness ?? null,
      reference_images: flags.reference ?? null,
    },
    { ...follow, idempotencyKey: flags.idempotencyKey },
  );
  const files = await saveImages(atelier, image, { ...flags, signal: follow.signal });
  return {
    json: { ...image, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `Made with ${image.model}. ${describeCost(image)}`,
  };
}

/**
 * The first model of the service's list that works, for those who do not mind which; where none does,
 * the first that may by the time it is called, or has a fallback that does.
 */
async function firstModel({ atelier, follow: { signal } }: Caller): Promise<string> {
  const models = await atelier.models.list({ signal });
  const first = (wanted: Model["status"]) => models.find(({ status }) => status === wanted);
  const model = first("available") ?? first("degraded");
  if (model === undefined)
    throw new UsageError("No model is available now. Name one with --model.");
  return model.id;
}
