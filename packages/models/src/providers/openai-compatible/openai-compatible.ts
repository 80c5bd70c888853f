import { withoutEngineCommands } from "@atelier/schemas";
import * as z from "zod";
import type { EngineDefaults } from "../../engine-settings.ts";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithReferences } from "../describe-references.ts";
import { toBase64 } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { everyModel, parameterCapabilities } from "../kind.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest } from "../http/call-ended.ts";
import { createCheck } from "../http/check-server.ts";
import { explainStatus } from "../http/explain-status.ts";
import { findJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { orderEdit, orderGeneration, readImages, type Order } from "../openai/openai.ts";
import { explainOpenAiFailure } from "../openai/openai-failure.ts";
import { readOpenAiUsage } from "../openai/openai-usage.ts";

/*
 * Servers with OpenAI's image API: stable-diffusion.cpp, vLLM-Omni, SGLang, LocalAI and others.
 *
 * Verified with the servers' own sources and documentation: `POST /images/generations`,
 * `/images/edits` with `image[]` (the first three), `response_format`, `output_format`, their error formats, that
 * LocalAI falls back to 512x512 and returns a URL by default, and the prompt commands that are
 * removed below. LocalAI's `ref_images` is from its documentation, as are vLLM-Omni's and SGLang's
 * `num_inference_steps` and `guidance_scale`. `lora` is from vLLM-Omni's `protocol/images.py`,
 * `api_server.py` and `parse_lora_request`, SGLang's LoRAs from its `common_api.py`, both read on
 * 2026-11-24; LocalAI's `step` from its `core/http/endpoints/openai/image.go`. Not tested with any of these servers.
 */

interface OpenAiCompatibleOptions extends CallLimits {
  /** URL including the version, for example `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  /** Omitted for a server without keys. */
  readonly apiKey?: string | undefined;
  /**
   * How references are sent: as a form to `/images/edits`, or as base64 in the field `ref_images`
   * of `/images/generations`, which LocalAI uses. Default `edits`.
   */
  readonly references?: "edits" | "ref_images" | undefined;
  /**
   * The field for the mask of an edit, an opaque PNG whose white pixels mark what to change: `mask`
   * for stable-diffusion.cpp, `mask_image` for vLLM-Omni. Default: no masks. SGLang accepts a mask
   * and ignores it.
   */
  readonly maskField?: "mask" | "mask_image" | undefined;
  /**
   * The folder of LoRAs on the server, for vLLM-Omni, which takes one per request by its path there. Default:
   * no LoRAs. SGLang has LoRAs for all requests alike (`POST /v1/set_lora` or its start), LocalAI in a
   * model's file, and stable-diffusion.cpp in its own API.
   */
  readonly loraFolder?: string | undefined;
  /** Whether the server takes `negative_prompt`, as vLLM-Omni and SGLang do. Default false. */
  readonly hasNegativePrompt?: boolean | undefined;
}

/** The presets and parameters that it sends; LoRAs only with a folder of the server. */
export const sentParameters = ["steps", "guidance", "loras", "extra"] as const;

/**
 * Pixels by image size; diffusion models need multiples of 64. Which sizes work depends on the
 * model.
 */
export const areas: Readonly<Record<string, PixelArea>> = {
  "0.5K": { pixels: 512 ** 2, maxEdge: 1024, step: 64 },
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 64 },
  "2K": { pixels: 2048 ** 2, maxEdge: 4096, step: 64 },
};

const failureSchema = z.union([
  // stable-diffusion.cpp
  z.object({ error: z.string(), message: z.string().optional() }),
  // vLLM-Omni, SGLang (FastAPI)
  z.object({ detail: z.union([z.string(), z.array(z.object({ msg: z.string() }))]) }),
]);

/**
 * A self-hosted or vendor's server with OpenAI's image API. Its models are listed in the operator's
 * catalogue; it keeps no state between images.
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleOptions): Provider {
  const {
    apiKey,
    baseUrl,
    references: referenceMode = "edits",
    maskField,
    loraFolder,
    hasNegativePrompt = false,
  } = options;
  const credentials: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });

  const isLocalAi = referenceMode === "ref_images";
  const stepsField = isLocalAi ? "step" : "num_inference_steps";

  function orderOf(request: ProviderRequest, size: string): Order {
    const { model, negativePrompt = null, parameters = {}, seed, task } = request;
    const prompt = withoutCommands(promptWithReferences(request));
    const negative =
      negativePrompt === null ? {} : { negative_prompt: withoutCommands(negativePrompt) };
    const fields = {
      model,
      prompt,
      n: 1,
      size,
      seed,
      ...negative,
      response_format: "b64_json",
      // SGLang's default is JPEG, which would lose detail of every later edit.
      output_format: "png",
      ...(parameters.steps === undefined ? {} : { [stepsField]: parameters.steps }),
      ...(parameters.guidance === undefined ? {} : { guidance_scale: parameters.guidance }),
      ...describeLora(parameters.loras),
      ...parameters.extra,
    };
    const images = inputImages(request);
    if (images.length === 0) return orderGeneration(fields);
    if (isLocalAi) {
      return orderGeneration({ ...fields, ref_images: images.map(toBase64) });
    }
    const mask = task?.kind === "edit" ? task.mask : null;
    if (mask === null || maskField === undefined) return orderEdit(fields, images);
    const file = { name: "mask.png", bytes: mask, mediaType: "image/png" } as const;
    return orderEdit(fields, images, [[maskField, file]]);
  }

  /** vLLM-Omni's field is an object, which a form contains as JSON. */
  function describeLora(loras: EngineDefaults["loras"] = []): object {
    const [lora, ...others] = loras;
    if (lora === undefined) return {};
    if (others.length > 0) throw invalidRequest("one LoRA at most");
    const { name, weight } = lora;
    return { lora: { name, path: `${loraFolder}/${name}`, scale: weight } };
  }

  return createAdapter({
    name: "openai-compatible",
    lostCall: "repeat-blindly",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    check: createCheck({ send, url: "models" }),
    capabilities: [
      "edit",
      "combine",
      ...parameterCapabilities(sentParameters).filter(
        (capability) =>
          (capability !== "parameters.loras" || loraFolder !== undefined) &&
          // LocalAI has the guidance in a model's own file.
          (capability !== "parameters.guidance" || !isLocalAi),
      ),
      ...(hasNegativePrompt ? (["negative_prompt"] as const) : []),
      ...(maskField === undefined ? [] : (["mask"] as const)),
    ],
    canSize: everyModel,
    editSize: (request) => pixelsOf(request, areas),
    async makeImage(request, { onUsage, signal }) {
      const size = pixelsOf(request, areas);
      const order = orderOf(request, `${size.width}x${size.height}`);
      const response = await send({ method: "POST", ...order, signal, purpose: "generate" });
      onUsage(readOpenAiUsage(response));
      if (response.status !== 200) throw explainFailure(response);
      return {
        kind: "image",
        image: await readImages(response, size),
        turn: null,
        seed: request.seed,
      };
    },
  });
}

/**
 * Removes commands from a prompt: those of engines, and bars, because LocalAI uses the text after a
 * bar as negative prompt.
 */
function withoutCommands(prompt: string): string {
  return withoutEngineCommands(prompt).replaceAll("|", "/");
}

function explainFailure(response: HttpResponse): Error {
  const failure = findJson(response, failureSchema);
  if (failure === null) return explainOpenAiFailure(response);
  if ("error" in failure) {
    return explainStatus(response, [failure.error, failure.message].filter(Boolean).join(": "));
  }
  const { detail } = failure;
  return explainStatus(
    response,
    typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "),
  );
}
