import { withoutEngineCommands } from "@atelier/schemas";
import * as z from "zod";
import type { Provider, ProviderEdit, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithReferences } from "../describe-references.ts";
import { toBase64 } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { allParameters, everyModel, parameterCapabilities } from "../kind.ts";
import { createAdapter } from "../http/adapter.ts";
import { unavailable, unknown } from "../http/call-ended.ts";
import { createCheck } from "../http/check-server.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { poll } from "../poll.ts";

interface SdcppOptions extends CallLimits {
  /** URL of the server, for example `http://127.0.0.1:1234`. */
  readonly baseUrl: string;
  /** Bearer token for a proxy in front of the server; the server itself has no keys. */
  readonly apiKey?: string | undefined;
  /** Polling interval in milliseconds. Default 500. */
  readonly pollIntervalMs?: number | undefined;
}

/**
 * Pixels by image size. The server accepts edges from 64 to 4096; every model supports multiples of
 * 64.
 */
export const areas: Readonly<Record<string, PixelArea>> = {
  "0.5K": { pixels: 512 ** 2, maxEdge: 4096, step: 64 },
  "1K": { pixels: 1024 ** 2, maxEdge: 4096, step: 64 },
  "2K": { pixels: 2048 ** 2, maxEdge: 4096, step: 64 },
};

const acceptedSchema = z.object({ id: z.string() });
const jobSchema = z.object({
  status: z.string(),
  result: z.object({ images: z.array(z.object({ b64_json: z.string() })).min(1) }).nullish(),
  error: z.object({ message: z.string() }).nullish(),
});
const errorSchema = z.object({ error: z.string(), message: z.string().optional() });

/**
 * stable-diffusion.cpp's own job API, provided by its `sd-server`.
 *
 * The server has one model, chosen at its start; the request's model is only used by the catalogue.
 * Jobs are kept in memory for ten minutes after they end and are lost when the process exits. Only
 * queued jobs can be cancelled. The server has no content policy and no prices.
 *
 * Source: the server's own code and documentation (`examples/server`, 2026-08).
 */
export function createSdcppProvider(options: SdcppOptions): Provider {
  const { apiKey, baseUrl, pollIntervalMs = 500 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  });

  async function submit(request: ProviderRequest, size: PixelSize, signal: AbortSignal) {
    const { negativePrompt, seed, task } = request;
    const images = inputImages(request).map(toBase64);
    const response = await send({
      method: "POST",
      url: "sdcpp/v1/img_gen",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        prompt: withoutEngineCommands(promptWithReferences(request)),
        ...size,
        seed,
        batch_count: 1,
        output_format: "png",
        ...(negativePrompt == null
          ? {}
          : { negative_prompt: withoutEngineCommands(negativePrompt) }),
        ...(images.length === 0 ? {} : { ref_images: images }),
        ...(task?.kind === "edit" ? describeEdit(task) : {}),
        ...describeParameters(request.parameters),
      }),
      signal,
      purpose: "generate",
    });
    if (response.status !== 202) throw explainStatus(response, errorTextOf(response));
    return readJson(response, acceptedSchema).id;
  }

  async function ask(id: string, signal: AbortSignal): Promise<string | null> {
    const response = await send({ method: "GET", url: pathOf(id), signal, purpose: "poll" });
    if (response.status === 404 || response.status === 410) {
      throw unavailable(`the server no longer knows the job: ${errorTextOf(response)}`);
    }
    if (response.status !== 200) throw explainPollStatus(response, errorTextOf(response));
    const { error, result, status } = readJson(response, jobSchema);
    switch (status) {
      case "queued":
      case "generating":
        return null;
      case "completed":
        if (result == null) throw unknown("completed, but without an image");
        return result.images[0]?.b64_json ?? "";
      default:
        throw unavailable(`the job ${status}: ${error?.message ?? ""}`);
    }
  }

  return createAdapter({
    name: "sdcpp",
    lostCall: "resume-by-request-id",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    check: createCheck({ send, url: "sdcpp/v1/capabilities" }),
    capabilities: [
      "edit",
      "mask",
      "combine",
      "negative_prompt",
      ...parameterCapabilities(allParameters),
    ],
    canSize: everyModel,
    editSize: (request) => pixelsOf(request, areas),
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = pixelsOf(request, areas);
      const id = resumeRequestId ?? (await submit(request, size, signal));
      if (resumeRequestId === null) await call.onRequestId(id);
      const image = await poll({
        ask: () => ask(id, signal),
        cancel: (anyway) =>
          send({ method: "POST", url: `${pathOf(id)}/cancel`, signal: anyway, purpose: "poll" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      return {
        kind: "image",
        image: await readImage(readBase64(image), size),
        turn: null,
        seed: request.seed,
      };
    },
  });
}

/**
 * The image to edit is the first reference and the initial image, as in the server's own
 * `/v1/images/edits`: models for editing use the reference, others the initial image.
 */
function describeEdit({ image, mask, strength }: ProviderEdit): object {
  return {
    init_image: toBase64(image),
    ...(mask === null ? {} : { mask_image: toBase64({ bytes: mask }) }),
    ...(strength === null ? {} : { strength }),
  };
}

/** Omitted fields have the server's own default, which depends on its model. */
function describeParameters({
  extra,
  guidance,
  loras,
  sampler,
  scheduler,
  steps,
}: NonNullable<ProviderRequest["parameters"]> = {}): object {
  const sampling = {
    ...(steps === undefined ? {} : { sample_steps: steps }),
    ...(sampler === undefined ? {} : { sample_method: sampler }),
    ...(scheduler === undefined ? {} : { scheduler }),
    ...(guidance === undefined ? {} : { guidance: { txt_cfg: guidance } }),
  };
  return {
    ...(Object.keys(sampling).length === 0 ? {} : { sample_params: sampling }),
    ...(loras === undefined
      ? {}
      : { lora: loras.map(({ name, weight }) => ({ path: name, multiplier: weight })) }),
    ...extra,
  };
}

function pathOf(id: string): string {
  return `sdcpp/v1/jobs/${encodeURIComponent(id)}`;
}

function errorTextOf(response: HttpResponse): string {
  const error = findJson(response, errorSchema);
  return error === null ? "" : [error.error, error.message].filter(Boolean).join(": ");
}
