import * as z from "zod";
import { optional } from "../fields.ts";
import { exampleJobId } from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import { inSharedTool, toolFields } from "./tool-fields.ts";

/** Body of `POST /v1/generate/vectorize`. */
const vectorizeRequest = z
  .strictObject({
    ...toolFields,
    colors: optional(z.int().min(2).max(64)).meta({
      description:
        "The maximum number of colours, for models of the provider `builtin`. Default: 16.",
    }),
  })
  .meta({ id: "VectorizeRequest" });
export type VectorizeRequest = z.infer<typeof vectorizeRequest>;

export const vectorize = {
  request: vectorizeRequest,
  kind: "image",
  task: "vectorize",
  change: { action: "c2pa.converted", participle: "Traced", isGenerative: false },
  method: "generateVectorized",
  summary: "Trace an image as SVG",
  description:
    "Traces an image as shapes: `formats.svg` is the sanitised and signed SVG, and the other files are its drawing in the size of the image. Logos, icons and flat drawings are traced best. The model's `operations` must include `vectorize`. The result of a photograph is marked as enhanced, not as synthetic. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    vectorize: [
      "Trace the image of a job in eight colours",
      { model: "builtin-tracer", image: { job_id: exampleJobId }, colors: 8 },
    ],
  },
  tool: inSharedTool("vectorize: traces it as SVG of at most colors colours."),
  command: { name: "vectorize", summary: "trace an image as SVG, and save it" },
} as const satisfies OperationDefinition<VectorizeRequest>;
