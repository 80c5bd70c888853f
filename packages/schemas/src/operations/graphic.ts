import * as z from "zod";
import { modelId, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  colour,
  imageCount,
  imageSize,
  keep,
  metadata,
  output,
  negativePrompt,
  palette,
  seed,
  requestWebhook,
  strictnessOfRequest,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";

/** Body of `POST /v1/generate/graphic`. */
export const graphicRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the graphic shows.",
      examples: ["a rocket over a planet"],
    }),
    kind: z.enum(["icon", "logo", "illustration"]).meta({
      description: "How much it shows: one thing, a mark with initials or an emblem, or a scene.",
    }),
    palette: palette.meta({
      description: "Up to eight colours to use. Default: the model chooses.",
    }),
    background: optional(z.union([z.literal("transparent"), colour])).meta({
      description: "A colour, or `transparent`, which is the default.",
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    n: imageCount,
    seed,
    negative_prompt: negativePrompt,
    output,
    keep,
    metadata,
    ...requestWebhook,
  })
  .meta({ id: "GraphicRequest" });
export type GraphicRequest = z.infer<typeof graphicRequest>;

export const graphic = {
  request: graphicRequest,
  kind: "image",
  task: "graphic",
  method: "generateGraphic",
  summary: "Draw an icon, a logo or an illustration",
  description:
    "Draws a graphic with transparency in PNG and WebP, and as a signed `formats.svg` for models whose `supports_svg` is true. The model's `operations` must include `graphic`. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    icon: [
      "An icon in two colours",
      {
        model: "builtin-graphic",
        prompt: "a rocket",
        kind: "icon",
        palette: ["#1f3a5f", "#e07a3f"],
      },
    ],
  },
  tool: {
    name: "draw_graphic",
    title: "Draw a graphic",
    description:
      "Draws an icon, a logo or a flat illustration with a transparent background, also as SVG by a model with supports_svg. The operations of the model must include graphic. Answers and charges like generate_image.",
  },
  command: { name: "graphic", summary: "draw an icon, a logo or an illustration" },
} as const satisfies OperationDefinition<GraphicRequest>;
