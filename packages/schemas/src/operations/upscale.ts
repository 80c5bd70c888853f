import * as z from "zod";
import { optional } from "../fields.ts";
import { maxResultPixels } from "../pixel-size.ts";
import { exampleJobId, refineSize } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

const edge = optional(z.int().min(1).max(16_383));

/** Body of `POST /v1/generate/upscale`. */
const upscaleRequest = refineSize(
  z.strictObject({
    ...toolFields,
    factor: optional(z.number().min(2).max(4)).meta({
      description:
        "How much longer each edge becomes, from 2 to 4, in place of `width` and `height`.",
    }),
    width: edge.meta({
      description: `The exact width in pixels, with \`height\` in place of \`factor\`: at least that of the image, at most 4 times, and at most ${maxResultPixels / 1e6} megapixels in total. An image of another shape is cropped to it.`,
    }),
    height: edge,
  }),
)
  .refine(({ factor, width }) => (factor === undefined) !== (width === undefined), {
    path: ["factor"],
    error: "must be given, or width and height in place of it",
  })
  .meta({ id: "UpscaleRequest" });
export type UpscaleRequest = z.infer<typeof upscaleRequest>;

export const upscale = {
  request: upscaleRequest,
  kind: "image",
  task: "upscale",
  change: { action: "c2pa.resized", participle: "Scaled up", isGenerative: false },
  method: "generateUpscaled",
  summary: "Scale an image up",
  description: `Makes an image larger: by a factor, or to an exact size. The result has at most ${maxResultPixels / 1e6} megapixels. The model's \`operations\` must include \`upscale\`. The manifest states the action \`c2pa.resized\`; the result of a photograph is marked as enhanced, not as synthetic. Response, waiting and job are those of \`POST /v1/generate/image\`.`,
  examples: {
    upscale: [
      "Double the edges of the image of a job",
      { model: "builtin-upscaler", image: { job_id: exampleJobId }, factor: 2 },
    ],
  },
  tool: inSharedTool("upscale: makes it larger by a factor, or to width and height."),
  command: { name: "upscale", summary: "make an image larger, and save it" },
} as const satisfies OperationDefinition<UpscaleRequest>;
