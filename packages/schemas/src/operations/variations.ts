import * as z from "zod";
import { optional } from "../fields.ts";
import { exampleJobId, imageCount, seed } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

/** Body of `POST /v1/generate/variations`. */
const variationsRequest = z
  .strictObject({
    ...toolFields,
    strength: optional(z.number().min(0).max(1)).meta({
      description:
        "How much to change, from 0 (keep the image) to 1, for models that have such a setting. Default: the model's.",
    }),
    n: imageCount,
    seed,
  })
  .meta({ id: "VariationsRequest" });
export type VariationsRequest = z.infer<typeof variationsRequest>;

export const variations = {
  request: variationsRequest,
  kind: "image",
  task: "variations",
  change: { action: "c2pa.edited", participle: "Varied", isGenerative: true },
  method: "generateVariations",
  summary: "Make variations of an image",
  description:
    "Makes images of the same subject and style that differ from an image in details, in its shape and the model's default size. The model's `operations` must include `variations`. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    variations: [
      "Three variations of the image of a job",
      { model: "builtin-illustrator", image: { job_id: exampleJobId }, strength: 0.5, n: 3 },
    ],
  },
  tool: inSharedTool(
    "variations: makes n images that differ from it in details, as much as strength says.",
  ),
  command: { name: "variations", summary: "make variations of an image, and save them" },
} as const satisfies OperationDefinition<VariationsRequest>;
