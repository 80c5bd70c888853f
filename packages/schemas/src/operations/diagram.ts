import * as z from "zod";
import { modelId, optional } from "../fields.ts";
import {
  imageSize,
  keep,
  metadata,
  output,
  palette,
  requestWebhook,
  strictnessOfRequest,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";

/** A diagram of the longest length that is drawn. Not trimmed: errors have its lines and columns. */
const diagramText = z.string().min(1).max(20_000);

/** Body of `POST /v1/generate/diagram`. */
export const diagramRequest = z
  .strictObject({
    model: modelId,
    prompt: optional(
      diagramText.meta({
        description: "The diagram in words. Exactly one of `prompt` and `source` is required.",
        examples: ["user → API → queue; the queue feeds three workers"],
      }),
    ),
    source: optional(diagramText.meta({ description: "The diagram in `language`." })),
    language: optional(z.enum(["text", "dot", "mermaid"])).meta({
      description:
        "The language of `source`: `text` (words, as in `prompt`; the default), `dot` (Graphviz) or `mermaid` (flowcharts).",
    }),
    direction: optional(z.enum(["right", "down"])).meta({
      description: "Where the arrows lead. Default: as the source says, or right; down for DOT.",
    }),
    palette: palette.meta({
      description: "Up to eight colours: of lines and texts first, then of the shapes in turn.",
    }),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    output,
    keep,
    metadata,
    ...requestWebhook,
  })
  .refine((body) => (body.prompt === undefined) !== (body.source === undefined), {
    error: "must have exactly one of prompt and source",
  })
  .refine((body) => body.source !== undefined || (body.language ?? "text") === "text", {
    path: ["language"],
    error: "must be omitted with prompt: send DOT and Mermaid as source",
  })
  .meta({ id: "DiagramRequest" });
export type DiagramRequest = z.infer<typeof diagramRequest>;

export const diagram = {
  request: diagramRequest,
  kind: "image",
  task: "diagram",
  method: "generateDiagram",
  summary: "Lay out a diagram",
  description:
    "Lays out a diagram in words, DOT or Mermaid, as an image in the shape of the diagram and as a signed `formats.svg`. The model's `operations` must include `diagram`. The same request makes the same picture. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    words: [
      "A diagram in words",
      {
        model: "builtin-diagram",
        prompt: "user → API → queue; the queue feeds three workers",
      },
    ],
    mermaid: [
      "A Mermaid flowchart",
      {
        model: "builtin-diagram",
        source: "flowchart LR\n  A[Order] --> B{Paid?}\n  B -- yes --> C[Ship]",
        language: "mermaid",
      },
    ],
  },
  errors: ["diagram_invalid"],
  tool: {
    name: "draw_diagram",
    title: "Draw a diagram",
    description:
      'Lays out a diagram of words ("user → API → queue"), Graphviz DOT or a Mermaid flowchart, also as SVG. The operations of the model must include diagram. Answers and charges like generate_image.',
  },
  command: { name: "diagram", summary: "lay out a diagram, save it and print its path" },
} as const satisfies OperationDefinition<DiagramRequest>;
