import * as z from "zod";
import { exampleJobId, imageSource } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

/** Body of `POST /v1/generate/erase`. */
const eraseRequest = z
  .strictObject({
    ...toolFields,
    mask: imageSource.meta({
      description:
        "What to remove: an image of the same size, in which white marks it and black what to keep. In an image with transparency, the transparent pixels mark what to remove.",
    }),
  })
  .meta({ id: "EraseRequest" });
export type EraseRequest = z.infer<typeof eraseRequest>;

export const erase = {
  request: eraseRequest,
  kind: "image",
  task: "erase",
  change: { action: "c2pa.edited", participle: "Partly erased", isGenerative: true },
  method: "generateErased",
  summary: "Erase a part of an image",
  description:
    "Removes what a mask marks, and fills the area from its surroundings. The result has the size of the image, and its pixels outside of the mask are kept. The model's `operations` must include `erase`. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    erase: [
      "Remove what an uploaded mask marks",
      {
        model: "builtin-illustrator",
        image: { job_id: exampleJobId },
        mask: { upload_id: "019a9f3d-8c41-7b02-8f5e-6d1b4a7c9e30" },
      },
    ],
  },
  tool: inSharedTool(
    "erase: removes what the image mask marks in white, and fills it from its surroundings.",
  ),
  command: { name: "erase", summary: "remove a part of an image, and save it" },
} as const satisfies OperationDefinition<EraseRequest>;
