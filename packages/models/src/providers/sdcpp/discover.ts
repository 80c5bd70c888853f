import * as z from "zod";
import type { FoundModel } from "../../discovery/describe-entry.ts";
import type { ReadServer } from "../../discovery/read-server.ts";

const capabilities = z.object({
  model: z.object({ stem: z.string(), name: z.string() }),
  supported_modes: z.array(z.string()),
  defaults: z.object({
    sample_params: z
      .object({
        scheduler: z.string().optional(),
        sample_method: z.string().optional(),
        sample_steps: z.number().optional(),
        guidance: z.object({ txt_cfg: z.number().optional() }).optional(),
      })
      .optional(),
  }),
  features: z.record(z.string(), z.unknown()),
  samplers: z.array(z.string()),
  schedulers: z.array(z.string()),
  loras: z.array(z.object({ path: z.string() })),
});

/**
 * Reads the model of an sd-server. A LoRA is known by its path below the server's folder.
 *
 * Source: `GET /sdcpp/v1/capabilities` in `examples/server/api.md` and `routes_sdcpp.cpp` of
 * stable-diffusion.cpp, read on 2026-11-24.
 */
export async function discoverSdcpp(read: ReadServer): Promise<FoundModel[]> {
  const found = await read(
    "sdcpp/v1/capabilities",
    capabilities,
    "Update stable-diffusion.cpp: earlier versions of sd-server have no capabilities.",
  );
  if (!found.supported_modes.includes("img_gen")) {
    throw new Error(
      `${found.model.name} makes no images. Start sd-server with a model for images.`,
    );
  }
  const { sample_params: presets } = found.defaults;
  const name = found.model.stem || found.model.name || "sd-server";
  return [
    {
      name,
      description: `${name} on our own stable-diffusion.cpp.`,
      operations: ["image", "scene", "edit"],
      // Which models use references, the server does not say.
      maxReferenceImages: 1,
      supportsMask: found.features["mask_image"] === true,
      supportsNegativePrompt: true,
      parameters: ["steps", "guidance", "sampler", "scheduler", "loras"],
      presets: {
        steps: presets?.sample_steps,
        guidance: presets?.guidance?.txt_cfg,
        sampler: presets?.sample_method,
        scheduler: presets?.scheduler,
      },
      samplers: found.samplers,
      schedulers: found.schedulers,
      loras: found.loras.map(({ path }) => path),
      maxLoras: 2,
    },
  ];
}
