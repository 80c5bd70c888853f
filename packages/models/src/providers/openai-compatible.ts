import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { explainStatus } from "./http/explain-status.ts";
import { findJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { orderEdit, orderGeneration, readImages, type Order } from "./openai.ts";
import { explainOpenAiFailure } from "./openai-failure.ts";

/*
 * Servers that speak OpenAI's image API: stable-diffusion.cpp, vLLM-Omni, SGLang, LocalAI and others.
 *
 * Verified with the servers' own sources and documentation: `POST /images/generations`, `/images/edits` with
 * `image[]` (the first three), `response_format`, the forms of their errors, that LocalAI falls back to
 * 512x512 and answers a URL unless asked otherwise, and the commands in prompts that are taken out below.
 * LocalAI's `ref_images` is from its documentation. Not run against any of them.
 */

export interface OpenAiCompatibleOptions extends CallLimits {
  /** With its version, for example `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  /** Left out for a server without keys. */
  readonly apiKey?: string | undefined;
  /**
   * How references are sent: in a form to `/images/edits`, or in base64 in the field `ref_images` of
   * `/images/generations`, which is LocalAI's way. Default `edits`.
   */
  readonly references?: "edits" | "ref_images" | undefined;
}

/** Pixels by image size; diffusion models take multiples of 64. Which of them fit is the model's matter. */
const areas: Readonly<Record<string, PixelArea>> = {
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
 * A server of the operator's own (or a vendor's) with OpenAI's image API. Its models are those that the
 * operator's catalogue names; it keeps no state between images.
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleOptions): Provider {
  const { apiKey, baseUrl, references: way = "edits" } = options;
  const credentials: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });

  function orderOf(request: ProviderRequest, size: string): Order {
    const { model, references, seed } = request;
    const prompt = withoutCommands(describeReferences(request.prompt, references));
    const fields = { model, prompt, n: 1, size, seed, response_format: "b64_json" };
    if (references.length === 0) return orderGeneration(fields);
    if (way === "edits") return orderEdit(fields, references);
    const images = references.map(({ bytes }) => Buffer.from(bytes).toString("base64"));
    return orderGeneration({ ...fields, ref_images: images });
  }

  return createAdapter({
    name: "openai-compatible",
    lostCall: "repeat-blindly",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    async makeImage(request, { signal }) {
      const size = pixelsOf(request, areas);
      const order = orderOf(request, `${size.width}x${size.height}`);
      const answer = await send({ method: "POST", ...order, signal, asks: "to-make" });
      if (answer.status !== 200) throw explainFailure(answer);
      return { kind: "image", image: await readImages(answer, size), turn: null };
    },
  });
}

/**
 * A prompt that is only a prompt. stable-diffusion.cpp takes settings out of a tag in it, steps and sizes
 * included, which are not the client's to choose; LocalAI draws what follows a bar as what is not to be seen.
 */
function withoutCommands(prompt: string): string {
  return prompt.replaceAll(/<(\/?)(sd_cpp_extra_args)>/g, "($1$2)").replaceAll("|", "/");
}

function explainFailure(answer: HttpAnswer): Error {
  const failure = findJson(answer, failureSchema);
  if (failure === null) return explainOpenAiFailure(answer);
  if ("error" in failure) {
    return explainStatus(answer, [failure.error, failure.message].filter(Boolean).join(": "));
  }
  const { detail } = failure;
  return explainStatus(
    answer,
    typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "),
  );
}
