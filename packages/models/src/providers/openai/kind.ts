import * as z from "zod";
import { ownSettings, vendorOptions, type Kind } from "../kind.ts";
import {
  openAiComplexities,
  openAiQualities,
  type OpenAiComplexity,
  type OpenAiQuality,
} from "./openai-effort.ts";
import { openAiPixels } from "./openai-pixels.ts";
import { openAiSvgEfforts, type OpenAiSvgAuthor } from "./openai-svg.ts";

interface OpenAiSettings {
  /** The parameter `quality`, which affects the price. Default: the adapter's. */
  readonly quality?: OpenAiQuality | undefined;
  /** How much the models plan an image. Default: the adapter's. */
  readonly complexity?: OpenAiComplexity | undefined;
  /** The model that writes SVG files; null for no graphics. */
  readonly svgAuthor: OpenAiSvgAuthor | null;
}

export const openai: Kind<OpenAiSettings, "OPENAI_API_KEY"> = {
  keyVariable: "OPENAI_API_KEY",
  servers: "vendor",
  own: ownSettings(
    {
      quality: z.enum(openAiQualities).optional(),
      complexity: z.enum(openAiComplexities).optional(),
      svg: z
        .strictObject({ model: z.string().min(1), effort: z.enum(openAiSvgEfforts).optional() })
        .optional(),
    },
    "is for OpenAI alone.",
    ({ svg, ...efforts }) => ({
      ...efforts,
      svgAuthor: svg === undefined ? null : { model: svg.model, effort: svg.effort ?? null },
    }),
  ),
  canSize: () => false,
  parameters: () => [],
  pixels: ({ aspectRatio, imageSize }) => openAiPixels(aspectRatio, imageSize),
  loads: (model) => model,
  discovery: null,
  async create(settings, { svgDrawer: drawer }) {
    const { createOpenAiProvider } = await import("./openai.ts");
    const { svgAuthor: author, ...efforts } = settings.own;
    const svg = author === null ? undefined : { author, drawer };
    return createOpenAiProvider({ ...vendorOptions(settings), ...efforts, svg });
  },
  checkModel: ({ operations }, { svgAuthor }) =>
    svgAuthor === null && operations.includes("graphic")
      ? { field: "operations", message: "with graphic need svg of the provider." }
      : null,
};
