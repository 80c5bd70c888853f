import * as z from "zod";
import { optional, prompt } from "../fields.ts";
import { maxMargin, maxResultPixels } from "../pixel-size.ts";
import { exampleJobId, seed } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

const margin = (side: string) =>
  optional(z.int().min(0).max(maxMargin)).meta({
    description: `Pixels to add ${side}. Default: 0.`,
  });

/** Body of `POST /v1/generate/outpaint`. */
const outpaintRequest = z
  .strictObject({
    ...toolFields,
    top: margin("above"),
    right: margin("at the right"),
    bottom: margin("below"),
    left: margin("at the left"),
    prompt: optional(prompt).meta({
      description: "What the new area shows. Default: what continues the image.",
      examples: ["a wide sandy beach"],
    }),
    seed,
  })
  .refine(
    ({ top = 0, right = 0, bottom = 0, left = 0 }) =>
      [top, right, bottom, left].some((pixels) => pixels !== 0),
    {
      path: ["top"],
      error: "must be positive, or one of right, bottom and left",
    },
  )
  .meta({ id: "OutpaintRequest" });
export type OutpaintRequest = z.infer<typeof outpaintRequest>;

export const outpaint = {
  request: outpaintRequest,
  kind: "image",
  task: "outpaint",
  change: { action: "c2pa.edited", participle: "Extended", isGenerative: true },
  method: "generateOutpainted",
  summary: "Extend an image beyond its edges",
  description: `Adds an area around an image and continues the image in it. The result has at most ${maxResultPixels / 1e6} megapixels, and the pixels of the image are kept. The model's \`operations\` must include \`outpaint\`. Response, waiting and job are those of \`POST /v1/generate/image\`.`,
  examples: {
    outpaint: [
      "Make the image of a job wider",
      {
        model: "builtin-illustrator",
        image: { job_id: exampleJobId },
        left: 256,
        right: 256,
        prompt: "a wide sandy beach",
      },
    ],
  },
  tool: inSharedTool(
    "outpaint: adds top, right, bottom and left pixels around it, and continues it there as prompt says.",
  ),
  command: { name: "outpaint", summary: "extend an image beyond its edges, and save it" },
} as const satisfies OperationDefinition<OutpaintRequest>;
