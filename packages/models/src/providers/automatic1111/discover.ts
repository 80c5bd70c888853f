import * as z from "zod";
import type { FoundModel } from "../../discovery/describe-entry.ts";
import type { ReadServer } from "../../discovery/read-server.ts";

const named = z.array(z.object({ name: z.string() }));
const checkpoints = z.array(z.object({ model_name: z.string() }));

const advice = "Start the web UI with --api.";

/**
 * Reads the checkpoints of AUTOMATIC1111 or Forge. The server has the same samplers and LoRAs for all of
 * them, and does not say which fit, nor how many steps a checkpoint needs.
 *
 * Source: `modules/api` and `extensions-builtin/Lora/scripts/lora_script.py` of stable-diffusion-webui,
 * read on 2026-11-24: `/sdapi/v1/sd-models`, `/samplers`, `/schedulers` and `/loras`.
 */
export async function discoverAutomatic1111(read: ReadServer): Promise<FoundModel[]> {
  const models = await read("sdapi/v1/sd-models", checkpoints, advice);
  const samplers = await read("sdapi/v1/samplers", named, advice);
  const schedulers = await read(
    "sdapi/v1/schedulers",
    named,
    "Update the web UI: it has schedulers since version 1.9.",
  );
  const loras = await read("sdapi/v1/loras", named, "Switch on the built-in extension Lora.");
  const namesOf = (items: z.infer<typeof named>) => items.map(({ name }) => name);
  return models.map(({ model_name: name }) => ({
    name,
    description: `${name} on our own web UI.`,
    operations: ["image", "scene", "edit"],
    maxReferenceImages: 1,
    supportsMask: true,
    supportsNegativePrompt: true,
    parameters: ["steps", "guidance", "sampler", "scheduler", "loras"],
    // The values that the web UI proposes. Without a preset, this service sends them.
    presets: { steps: 30, guidance: 7 },
    samplers: namesOf(samplers),
    schedulers: namesOf(schedulers),
    loras: namesOf(loras),
    maxLoras: 2,
  }));
}
