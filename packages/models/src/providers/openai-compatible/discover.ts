import * as z from "zod";
import type { FoundModel } from "../../discovery/describe-entry.ts";
import type { ReadServer } from "../../discovery/read-server.ts";

const models = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/**
 * Reads the models of a server with OpenAI's API, which says nothing but their names: neither its own steps
 * nor LoRAs, and for LocalAI not which of them make images.
 *
 * Source: `GET /v1/models` of vLLM, SGLang (`common_api.py`) and stable-diffusion.cpp, read on 2026-11-24.
 */
export async function discoverOpenAiCompatible(
  read: ReadServer,
  options: { readonly hasMask: boolean; readonly hasNegativePrompt: boolean },
): Promise<FoundModel[]> {
  const { data } = await read(
    "models",
    models,
    "base_url includes the version, such as http://127.0.0.1:8000/v1.",
  );
  return data.map(({ id: name }) => ({
    name,
    description: `${name} on our own server.`,
    operations: ["image", "scene", ...(options.hasMask ? (["edit"] as const) : [])],
    maxReferenceImages: options.hasMask ? 1 : 0,
    supportsMask: options.hasMask,
    supportsNegativePrompt: options.hasNegativePrompt,
    parameters: ["steps", "guidance"],
    presets: {},
    samplers: [],
    schedulers: [],
    loras: [],
    maxLoras: 0,
  }));
}
