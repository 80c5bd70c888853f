import * as z from "zod";
import { description, modelId, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  exactSize,
  exampleJobId,
  hasOneSource,
  imageSize,
  refineSize,
  maxReferenceImages,
  oneSource,
  strictnessOfRequest,
  imageOptions,
  imageSourceFields,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";

const part = z
  .strictObject({
    description: description.meta({
      description: "What the image shows, and what the combination takes from it.",
      examples: ["the red sailing boat"],
    }),
    ...imageSourceFields,
  })
  .refine(hasOneSource, { error: oneSource })
  .meta({ id: "CombinedImage", description: "An image of a combination." });

/** Body of `POST /v1/generate/combine`. */
const combineRequest = refineSize(
  z.strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the combination of the images shows.",
      examples: ["the boat in the harbour, at dusk"],
    }),
    images: z.array(part).min(2).max(maxReferenceImages).meta({
      description: "The images to combine, for models whose `supports_combine` is true.",
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    ...exactSize,
    strictness: strictnessOfRequest,
    ...imageOptions,
  }),
).meta({ id: "CombineRequest" });
export type CombineRequest = z.infer<typeof combineRequest>;

export const combine = {
  request: combineRequest,
  kind: "image",
  task: "combine",
  method: "generateCombination",
  summary: "Combine images",
  description:
    "Makes one image of two to five images and a prompt. The model's `supports_combine` must be true. The response always has `image_urls`, `image_hashes` and `images`, also for one image; otherwise response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    combine: [
      "Combine the images of two jobs",
      {
        model: "builtin-illustrator",
        prompt: "the boat in the harbour, at dusk",
        images: [
          { description: "the red sailing boat", job_id: exampleJobId },
          { description: "the harbour", job_id: exampleJobId },
        ],
      },
    ],
  },
  tool: {
    name: "combine_images",
    title: "Combine images",
    description:
      "Makes one image of two to five images and a prompt, by a model with supports_combine. Each image is a URL, an upload or the image of an earlier job (job_id), with a description. Answers and charges like generate_image.",
  },
  command: { name: "combine", summary: "make one image of two to five, and save it" },
} as const satisfies OperationDefinition<CombineRequest>;
