import * as z from "zod";
import { ownSettings, vendorOptions, type Kind } from "../kind.ts";
import { geminiThinking, type GeminiThinking } from "./gemini-thinking.ts";

interface GeminiSettings {
  /** How much the models think about an image. Default: the model's own. */
  readonly thinking?: GeminiThinking | undefined;
}

export const gemini: Kind<GeminiSettings, "GEMINI_API_KEY"> = {
  keyVariable: "GEMINI_API_KEY",
  servers: "vendor",
  own: ownSettings(
    { thinking: z.enum(geminiThinking).optional() },
    "is for Gemini alone.",
    (fields) => fields,
  ),
  canSize: () => false,
  parameters: () => [],
  pixels: () => null,
  loads: (model) => model,
  discovery: null,
  async create(settings) {
    const { createGeminiProvider } = await import("./gemini.ts");
    return createGeminiProvider({ ...vendorOptions(settings), ...settings.own });
  },
};
