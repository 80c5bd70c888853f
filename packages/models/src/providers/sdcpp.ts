import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { toBase64 } from "./encode-reference.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { unavailable, unknown } from "./http/call-ended.ts";
import { explainPollStatus, explainStatus } from "./http/explain-status.ts";
import { readBase64, readImage, type PixelSize } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { poll } from "./poll.ts";

export interface SdcppOptions extends CallLimits {
  /** Where the server is, for example `http://127.0.0.1:1234`. */
  readonly baseUrl: string;
  /** For a proxy before the server that asks for a bearer token; the server itself has no keys. */
  readonly apiKey?: string | undefined;
  /** Between two questions about a job, in milliseconds. Default 500. */
  readonly pollIntervalMs?: number | undefined;
}

/** Pixels by image size: the server takes edges from 64 to 4096; in steps of 64 every model does. */
const areas: Readonly<Record<string, PixelArea>> = {
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
 * stable-diffusion.cpp's own job API, of its `sd-server`.
 *
 * The server has the one model that it was started with; the request's model is for the catalogue
 * alone. Jobs are kept in memory for ten minutes after they end and are lost with the process. Only a
 * job that still waits can be cancelled. There is no policy and no price.
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
    const { prompt, references, seed } = request;
    const answer = await send({
      method: "POST",
      url: "sdcpp/v1/img_gen",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        prompt: describeReferences(prompt, references),
        ...size,
        seed,
        batch_count: 1,
        output_format: "png",
        ...(references.length === 0 ? {} : { ref_images: references.map(toBase64) }),
      }),
      signal,
      asks: "to-make",
    });
    if (answer.status !== 202) throw explainStatus(answer, said(answer));
    return readJson(answer, acceptedSchema).id;
  }

  async function ask(id: string, signal: AbortSignal): Promise<string | null> {
    const answer = await send({ method: "GET", url: pathOf(id), signal, asks: "about-call" });
    if (answer.status === 404 || answer.status === 410) {
      throw unavailable(`the job is not known to the server any more: ${said(answer)}`);
    }
    if (answer.status !== 200) throw explainPollStatus(answer, said(answer));
    const { error, result, status } = readJson(answer, jobSchema);
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
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = pixelsOf(request, areas);
      const id = resumeRequestId ?? (await submit(request, size, signal));
      if (resumeRequestId === null) await call.onRequestId(id);
      const image = await poll({
        ask: () => ask(id, signal),
        cancel: (anyway) =>
          send({ method: "POST", url: `${pathOf(id)}/cancel`, signal: anyway, asks: "about-call" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      return { kind: "image", image: await readImage(readBase64(image), size), turn: null };
    },
  });
}

function pathOf(id: string): string {
  return `sdcpp/v1/jobs/${encodeURIComponent(id)}`;
}

function said(answer: HttpAnswer): string {
  const error = findJson(answer, errorSchema);
  return error === null ? "" : [error.error, error.message].filter(Boolean).join(": ");
}
