import * as z from "zod";
import { exampleJobId } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

/** Body of `POST /v1/generate/remove-background`. */
const removeBackgroundRequest = z.strictObject(toolFields).meta({ id: "RemoveBackgroundRequest" });
export type RemoveBackgroundRequest = z.infer<typeof removeBackgroundRequest>;

export const removeBackground = {
  request: removeBackgroundRequest,
  kind: "image",
  task: "remove-background",
  change: { action: "c2pa.edited", participle: "Cut out", isGenerative: false },
  method: "generateCutOut",
  summary: "Remove the background of an image",
  description:
    "Makes the background of an image transparent in the PNG and the WebP; the JPEG is flattened on white. The result has the size of the image. The model's `operations` must include `remove-background`. A job whose model cannot tell the background from the rest fails with `model_not_capable`, without a charge. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    cutOut: [
      "Cut out the image of a job",
      { model: "builtin-cutout", image: { job_id: exampleJobId } },
    ],
  },
  tool: inSharedTool("remove-background: makes the background transparent."),
  command: { name: "remove-background", summary: "make a background transparent, and save it" },
} as const satisfies OperationDefinition<RemoveBackgroundRequest>;
