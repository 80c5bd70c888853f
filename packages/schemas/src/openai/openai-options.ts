import * as z from "zod";
import { engineParameters } from "../engine-parameters.ts";
import { wholeNumber } from "../fields.ts";
import { aspectRatio, imageSize, type ImageSource } from "../request-fields.ts";
import { spellNumber } from "../texts/spellings.ts";

/*
 * Parameters that OpenAI's API does not have and that other clients send to its paths. They are honoured where
 * the model can. They had no effect before, so that no value is refused: one that does not fit is named in
 * `Atelier-Ignored`.
 */

/** A parameter whose value is undefined when it does not fit. */
export function lenient<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z
    .preprocess((value) => value ?? undefined, schema.optional())
    .catch(undefined)
    .meta({ description: `Not a parameter of OpenAI. ${description}` });
}

const steps = wholeNumber(z.int().min(1).max(10_000));

const guidance = z.preprocess(spellNumber, z.number().min(0).max(1_000));

function parseText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Options of the engine of a model, under the names of several services. */
export const engineOptionFields = {
  num_inference_steps: lenient(steps, "`parameters.steps`, where the model lets requests set it."),
  steps: lenient(steps, "The same."),
  guidance_scale: lenient(guidance, "`parameters.guidance`, where the model lets requests set it."),
  guidance: lenient(guidance, "The same."),
  cfg_scale: lenient(guidance, "The same."),
  parameters: lenient(
    z.preprocess(parseText, z.looseObject(engineParameters.shape)),
    "As in `POST /v1/generate/image`, where the model lets requests set them; in a form as JSON text.",
  ),
};

/** Sizes in the terms of this service. */
export const sizeOptionFields = {
  aspect_ratio: lenient(
    aspectRatio,
    "As in `POST /v1/generate/image`, unless `size` has pixels or a ratio.",
  ),
  image_size: lenient(
    imageSize,
    "As in `POST /v1/generate/image`, unless `size` has pixels or a name.",
  ),
};

/** An image at a URL, or an upload, in one of the forms that clients send. */
const reference = z
  .union([
    z.string().transform((url) => ({ url })),
    z.object({ image_url: z.string() }).transform(({ image_url: url }) => ({ url })),
    z.object({ image_url: z.object({ url: z.string() }) }).transform(({ image_url }) => image_url),
    z.object({ file_id: z.uuid().toLowerCase() }).transform(({ file_id: upload_id }) => ({
      upload_id,
    })),
    z.object({ url: z.string() }).transform(({ url }) => ({ url })),
    z.object({ upload_id: z.uuid().toLowerCase() }).transform(({ upload_id }) => ({ upload_id })),
  ])
  .transform((source): ImageSource => source);

const references = z
  .union([reference.transform((one) => [one]), z.array(reference).min(1)])
  .meta({ examples: ["https://images.example.com/harbour.png"] });

/** References of an image of a prompt, under the names of several services. */
export const referenceOptionFields = {
  image: lenient(
    references,
    "One image, or several, that anchor style and context, for models whose `supports_references` is true: HTTPS URLs, `data:` URLs, base64, or `{file_id}` of uploads. In total at most 40 MB.",
  ),
  images: lenient(references, "The same."),
  image_url: lenient(references, "The same."),
  image_urls: lenient(references, "The same."),
  reference_images: lenient(references, "The same."),
};
