import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { toDataUrl } from "./encode-reference.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import {
  CallEnded,
  invalidRequest,
  rateLimited,
  refused,
  unavailable,
  unknown,
} from "./http/call-ended.ts";
import { explainPollStatus, explainStatus } from "./http/explain-status.ts";
import { fetchImage, type FetchResult } from "./http/fetch-result.ts";
import { readImage } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { poll } from "./poll.ts";

export interface ReplicateOptions extends CallLimits {
  readonly apiKey: string;
  /** Fetches an image by the URL that the provider gave, without the key. */
  readonly fetchResult: FetchResult;
  /** Default `https://api.replicate.com`. */
  readonly baseUrl?: string | undefined;
  /** Between two questions about a prediction, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** What a family of models calls its inputs, and its sizes. */
interface Family {
  readonly models: RegExp;
  readonly maxReferences: number;
  /** By image size: what the model is told of it, and the pixels that come of it. */
  readonly sizes: Readonly<Record<string, PixelArea & { readonly input: object }>>;
  readonly describeReferences: (images: readonly string[]) => object;
}

/**
 * Models on Replicate have no inputs in common but the prompt: a family that asks for others needs
 * an entry here. The first that fits counts.
 */
const families: readonly Family[] = [
  {
    models: /^black-forest-labs\/flux-2-/,
    maxReferences: 8,
    sizes: {
      "1K": { input: { resolution: "1 MP" }, pixels: 1_000_000, maxEdge: 2048, step: 16 },
      "2K": { input: { resolution: "4 MP" }, pixels: 4_000_000, maxEdge: 2048, step: 16 },
    },
    describeReferences: (images) => ({ input_images: images }),
  },
  {
    // FLUX.1 and what follows its form.
    models: /./,
    maxReferences: 0,
    sizes: { "1K": { input: {}, pixels: 1_000_000, maxEdge: 1440, step: 16 } },
    describeReferences: () => ({}),
  },
];

const predictionSchema = z.object({
  id: z.string(),
  status: z.string(),
  output: z.unknown(),
  error: z.unknown(),
});
const outputSchema = z.union([z.string(), z.array(z.string()).min(1)]);
const problemSchema = z.object({ detail: z.string() });

/**
 * Replicate: models by name (`owner/name`), or by version (`owner/name:version`).
 *
 * The request id is the prediction's. `Prefer: wait` is not used: with it the id arrives together
 * with the result, and a crash in between would lose a prediction that was paid for. Refusals end as
 * failed predictions with a text of the model's own; that they are recognised by their words is the
 * best that can be had. Whether they are charged depends on the model; assume so.
 *
 * Sources: the vendor's own client; replicate.com/docs, "HTTP API" and "Rate limits"; the pages of
 * the FLUX models for their inputs.
 */
export function createReplicateProvider(options: ReplicateOptions): Provider {
  const { apiKey, baseUrl = "https://api.replicate.com", fetchResult } = options;
  const { pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { authorization: `Bearer ${apiKey}` },
  });

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<string> {
    const [, model, version] = /^([\w.-]+\/[\w.-]+)(?::(\w+))?$/.exec(request.model) ?? [];
    if (model === undefined) throw invalidRequest(`${request.model} is not a model's name`);
    const input = describe(request);
    const answer = await send({
      method: "POST",
      url: version === undefined ? `v1/models/${model}/predictions` : "v1/predictions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(version === undefined ? { input } : { version, input }),
      signal,
      asks: "to-make",
    });
    if (answer.status !== 201 && answer.status !== 202) throw explainRefusedOrder(answer);
    return readJson(answer, predictionSchema).id;
  }

  async function ask(id: string, signal: AbortSignal): Promise<string | null> {
    const answer = await send({ method: "GET", url: pathOf(id), signal, asks: "about-call" });
    if (answer.status === 404) throw unavailable("the prediction is not known any more");
    if (answer.status !== 200) throw explainPollStatus(answer, said(answer));
    const { error, output, status } = readJson(answer, predictionSchema);
    switch (status) {
      case "succeeded": {
        const urls = outputSchema.safeParse(output);
        // Outputs are removed after an hour.
        if (!urls.success) throw unknown("made, but its output is not there any more");
        return typeof urls.data === "string" ? urls.data : (urls.data[0] ?? "");
      }
      case "failed":
        throw explainFailure(typeof error === "string" ? error : "");
      case "canceled":
      case "aborted":
        throw unavailable(`the prediction was ${status}`);
      default:
        return null;
    }
  }

  return createAdapter({
    name: "replicate",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = pixelsOf(request, familyOf(request).sizes);
      const id = resumeRequestId ?? (await submit(request, signal));
      if (resumeRequestId === null) await call.onRequestId(id);
      const url = await poll({
        ask: () => ask(id, signal),
        cancel: (anyway) =>
          send({ method: "POST", url: `${pathOf(id)}/cancel`, signal: anyway, asks: "about-call" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      const image = await readImage(await fetchImage(url, signal, fetchResult), size);
      return { kind: "image", image, turn: null };
    },
  });
}

function pathOf(id: string): string {
  return `v1/predictions/${encodeURIComponent(id)}`;
}

function familyOf({ model }: ProviderRequest): Family {
  const family = families.find(({ models }) => models.test(model));
  if (family === undefined) throw invalidRequest(`no way is known to ask ${model}`);
  return family;
}

function describe(request: ProviderRequest): object {
  const family = familyOf(request);
  const { aspectRatio, imageSize, model, prompt, references, seed } = request;
  if (references.length > family.maxReferences) {
    throw invalidRequest(`${model} takes ${family.maxReferences} references at most`);
  }
  return {
    prompt: describeReferences(prompt, references),
    aspect_ratio: aspectRatio,
    ...family.sizes[imageSize]?.input,
    seed,
    output_format: "png",
    ...(references.length === 0 ? {} : family.describeReferences(references.map(toDataUrl))),
  };
}

function explainRefusedOrder(answer: HttpAnswer): CallEnded {
  const explained = explainStatus(answer, said(answer));
  // Where there is no Retry-After, the text tells the time: "Your rate limit resets in ~30s."
  const [, seconds] = /resets in ~?(\d+(?:\.\d+)?)s/.exec(said(answer)) ?? [];
  const { outcome } = explained;
  return outcome.kind === "rate-limited" && outcome.retryAfterMs === null && seconds !== undefined
    ? rateLimited(Number(seconds) * 1_000)
    : explained;
}

/**
 * Why a prediction failed, by its words: there is no code. E005 is what the FLUX models and several
 * others call a refusal; "NSFW content" is the older models' word for it.
 */
function explainFailure(error: string): CallEnded {
  if (/\bE005\b|flagged as sensitive|nsfw|content policy|moderat/i.test(error)) {
    const stage = /nsfw content (was )?detected/i.test(error) ? "image" : null;
    return refused(stage, []);
  }
  if (/\bE006\b|validation|invalid input/i.test(error)) return invalidRequest(error);
  return unavailable(`the prediction failed: ${error}`);
}

function said(answer: HttpAnswer): string {
  return findJson(answer, problemSchema)?.detail ?? "";
}
