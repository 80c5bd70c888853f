import * as z from "zod";
import { pixelsOf } from "../fit-pixels.ts";
import { bearer, everyModel, everySeed, ownSettings, serverOptions, type Kind } from "../kind.ts";
import { discoverOpenAiCompatible } from "./discover.ts";
import { areas, createOpenAiCompatibleProvider, sentParameters } from "./openai-compatible.ts";

interface CompatibleSettings {
  /** How references are sent. Default: OpenAI's own format. */
  readonly references?: "edits" | "ref_images" | undefined;
  /** The field for masks. Default: no masks. */
  readonly maskField?: "mask" | "mask_image" | undefined;
  /** The folder of LoRAs on the server. Default: no LoRAs per request. */
  readonly loraFolder?: string | undefined;
  /** Whether the server takes `negative_prompt`. */
  readonly hasNegativePrompt: boolean;
}

export const openaiCompatible: Kind<CompatibleSettings, null> = {
  keyVariable: null,
  servers: "many",
  own: ownSettings(
    {
      references: z.enum(["edits", "ref_images"]).optional(),
      mask_field: z.enum(["mask", "mask_image"]).optional(),
      lora_folder: z.string().min(1).optional(),
      negative_prompt: z.boolean().optional(),
    },
    "is only for servers with OpenAI's API.",
    (fields) => ({
      references: fields.references,
      maskField: fields.mask_field,
      loraFolder: fields.lora_folder?.replace(/(?<!\/)\/+$/, ""),
      hasNegativePrompt: fields.negative_prompt ?? false,
    }),
  ),
  canSize: everyModel,
  sendsSeed: everySeed,
  parameters: () => sentParameters,
  pixels: (wanted) => pixelsOf(wanted, areas),
  loads: (model) => model,
  discovery: {
    authorize: bearer,
    find: (read, { hasNegativePrompt, maskField }) =>
      discoverOpenAiCompatible(read, { hasMask: maskField !== undefined, hasNegativePrompt }),
  },
  create: (settings) =>
    createOpenAiCompatibleProvider({ ...serverOptions(settings), ...settings.own }),
  checkModel(model, { hasNegativePrompt, maskField }) {
    if (model.supports_mask && maskField === undefined) {
      return { field: "supports_mask", message: "needs mask_field of the provider." };
    }
    if (model.supports_negative_prompt && !hasNegativePrompt) {
      return {
        field: "supports_negative_prompt",
        message: "needs negative_prompt: true of the provider.",
      };
    }
    return null;
  },
  /** Without a folder there are no LoRAs, and vLLM-Omni takes one per request. */
  checkEntry({ client_may_set, defaults, id, provider }, { loraFolder }) {
    const loras = (defaults.loras?.length ?? 0) + (client_may_set.loras?.max ?? 0);
    if (loras > 0 && loraFolder === undefined) {
      return `loras of ${id} need lora_folder of the provider "${provider}".`;
    }
    return loras > 1
      ? `defaults and client_may_set of ${id} allow ${loras} LoRAs per image, and its server takes one.`
      : null;
  },
};
