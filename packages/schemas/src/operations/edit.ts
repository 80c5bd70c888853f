import * as z from "zod";
import { after } from "../after.ts";
import { modelId, optional, prompt } from "../fields.ts";
import {
  exactSize,
  exampleJobId,
  imageSize,
  imageSource,
  refineSize,
  referenceImages,
  strictnessOfRequest,
  imageOptions,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";

/** Body of `POST /v1/generate/edit`. */
const editRequest = refineSize(
  z.strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What to change, or what the masked area shows afterwards.",
      examples: ["a red sailing boat on the water"],
    }),
    image: imageSource.meta({
      description:
        "The image to change. An upload or an image at a URL may have 24 megapixels, as JPEG 50, and is scaled down to 16.7 (4096 × 4096), with its mask and markup; `scaled_from` says so. Other images have at most 16.7.",
    }),
    mask: optional(imageSource).meta({
      description:
        "Limits the change, for models whose `supports_mask` is true: an image of the same size, in which white marks what to change and black what to keep. In an image with transparency, the transparent pixels mark what to change. The result has the size of `image`, and its pixels outside of the mask are kept.",
    }),
    markup: optional(imageSource).meta({
      description:
        "Hints that are drawn over the image, such as arrows, circles or notes, for models whose `supports_markup` is true: an image of the same size that is transparent where nothing is drawn. The result does not show it. Not together with `mask`.",
    }),
    strength: optional(z.number().min(0).max(1)).meta({
      description:
        "How much to change, from 0 (keep the image) to 1 (replace it), for models that have such a setting. Default: the model's.",
    }),
    image_size: optional(imageSize).meta({
      description:
        "One of the model's `image_sizes`. Without a mask, the result has its pixels in the shape of the image. A built-in model takes the smallest size that holds the image by default, and with a mask only that one. Other models take their `default_image_size`, as does every model for an image at a URL of another server.",
    }),
    ...exactSize,
    reference_images: referenceImages,
    after,
    strictness: strictnessOfRequest,
    ...imageOptions,
  }),
).meta({ id: "EditRequest" });
export type EditRequest = z.infer<typeof editRequest>;

export const edit = {
  request: editRequest,
  kind: "image",
  task: "edit",
  change: { action: "c2pa.edited", participle: "Edited", isGenerative: true },
  method: "generateEdit",
  summary: "Edit an image",
  description:
    "Changes an image as the prompt says, inside a mask or everywhere. With a mask, the result has the size of the image and the pixels outside of the mask are kept; without one, it has the shape of the image and the pixels of `image_size`. The model's `supports_edit` must be true. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    edit: [
      "Change the image of a job",
      {
        model: "builtin-illustrator",
        prompt: "the same harbour at night, with lanterns",
        image: { job_id: exampleJobId },
        strength: 0.6,
      },
    ],
  },
  tool: {
    name: "edit_image",
    title: "Edit an image",
    description:
      "Changes an image as the prompt says, everywhere or inside a mask, by a model with supports_edit. The image is a URL, an upload or the image of an earlier job (job_id). Answers and charges like generate_image.",
  },
  command: { name: "edit", summary: "change an image, save it and print its path" },
} as const satisfies OperationDefinition<EditRequest>;
