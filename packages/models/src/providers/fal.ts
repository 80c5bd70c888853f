import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { toDataUrl } from "./encode-reference.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { CallEnded, invalidRequest, outOfQuota, refused, unavailable } from "./http/call-ended.ts";
import { explainPollStatus, explainStatus } from "./http/explain-status.ts";
import { fetchImage, type FetchResult } from "./http/fetch-result.ts";
import { readImage, type PixelSize } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { poll } from "./poll.ts";

export interface FalOptions extends CallLimits {
  readonly apiKey: string;
  /** Fetches an image by the URL that the provider gave, without the key. */
  readonly fetchResult: FetchResult;
  /** Default `https://queue.fal.run`. */
  readonly baseUrl?: string | undefined;
  /** Between two questions about a request, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** Pixels by image size, as `image_size` takes them; edges as FLUX.2 wants them. */
const areas: Readonly<Record<string, PixelArea>> = {
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 16 },
  "2K": { pixels: 2000 ** 2, maxEdge: 2048, step: 16 },
};

/** Of the models that edit; they are the model's name with this at the end. */
const editPath = "/edit";

const acceptedSchema = z.object({
  status_url: z.string(),
  response_url: z.string(),
  cancel_url: z.string(),
});
const statusSchema = z.object({ status: z.string() });
const resultSchema = z.object({
  images: z.array(z.object({ url: z.string() })).min(1),
  has_nsfw_concepts: z.array(z.boolean()).nullish(),
});
/** What a model says: `detail` as a list. */
const modelErrorSchema = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
});
/** What the platform says: `detail` as a text, with an `error_type` where the request had begun. */
const platformErrorSchema = z.object({ detail: z.string(), error_type: z.string().optional() });

/** The three URLs of a request. */
interface Ticket {
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
}

/**
 * fal's queue: any model that takes `prompt`, `image_size`, `seed` and `output_format`, such as
 * FLUX.2, and for references one with `/edit` at the end of its name that takes `image_urls`.
 *
 * The URLs of a request are not to be built but used as given, so what is kept as the request id are
 * the three of them. `x-fal-no-retry` keeps fal from repeating a request by itself. Requests that end
 * with a 5xx are not billed, by the vendor's documentation; whether refusals are is not said.
 *
 * Sources: the vendor's own client, also for the fields of FLUX.2 and its `/edit`; fal.ai/docs,
 * "Inference API", "Model errors" and "Request error types". Unverified: how a cancelled request answers, and that refusals always have the type
 * `content_policy_violation` (the documentation says that some models are still to follow).
 */
export function createFalProvider(options: FalOptions): Provider {
  const { apiKey, baseUrl = "https://queue.fal.run", fetchResult } = options;
  const { pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { authorization: `Key ${apiKey}` },
    domains: ["fal.run"],
  });

  async function submit(request: ProviderRequest, size: PixelSize, signal: AbortSignal) {
    const { model, prompt, references, seed } = request;
    if (!/^[\w.-]+(\/[\w.-]+)+$/.test(model))
      throw invalidRequest(`${model} is not a model's name`);
    const answer = await send({
      method: "POST",
      url: references.length === 0 ? model : `${model}${editPath}`,
      headers: { "content-type": "application/json", "x-fal-no-retry": "1" },
      body: JSON.stringify({
        prompt: describeReferences(prompt, references),
        image_size: size,
        seed,
        output_format: "png",
        ...(references.length === 0 ? {} : { image_urls: references.map(toDataUrl) }),
      }),
      signal,
      asks: "to-make",
    });
    if (answer.status !== 200) throw explainError(answer) ?? explainStatus(answer, said(answer));
    const { cancel_url, response_url, status_url } = readJson(answer, acceptedSchema);
    return { statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url };
  }

  async function isDone({ statusUrl }: Ticket, signal: AbortSignal): Promise<true | null> {
    const answer = await send({ method: "GET", url: statusUrl, signal, asks: "about-call" });
    if (answer.status === 404) throw unavailable("the request is not known to fal any more");
    if (answer.status !== 200 && answer.status !== 202) {
      throw explainPollStatus(answer, said(answer));
    }
    // A request that failed is COMPLETED as well: its response says how it ended.
    return readJson(answer, statusSchema).status === "COMPLETED" ? true : null;
  }

  async function readResult({ responseUrl }: Ticket, signal: AbortSignal): Promise<string> {
    const answer = await send({ method: "GET", url: responseUrl, signal, asks: "about-call" });
    if (answer.status !== 200) throw explainEnd(answer);
    const { has_nsfw_concepts: flags, images } = readJson(answer, resultSchema);
    // The checker blackens what it flags, and the request counts as made.
    if (flags?.[0] === true) throw refused("image", ["nsfw"]);
    return images[0]?.url ?? "";
  }

  return createAdapter({
    name: "fal",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = pixelsOf(request, areas);
      const ticket =
        resumeRequestId === null
          ? await submit(request, size, signal)
          : parseTicket(resumeRequestId);
      if (resumeRequestId === null) await call.onRequestId(formatTicket(ticket));
      await poll({
        ask: () => isDone(ticket, signal),
        cancel: (anyway) =>
          send({ method: "PUT", url: ticket.cancelUrl, signal: anyway, asks: "about-call" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      const url = await readResult(ticket, signal);
      const image = await readImage(await fetchImage(url, signal, fetchResult), size);
      return { kind: "image", image, turn: null };
    },
  });
}

/** A URL has no space in it. */
function formatTicket({ cancelUrl, responseUrl, statusUrl }: Ticket): string {
  return `${statusUrl} ${responseUrl} ${cancelUrl}`;
}

function parseTicket(requestId: string): Ticket {
  const [statusUrl = "", responseUrl = "", cancelUrl = ""] = requestId.split(" ");
  return { statusUrl, responseUrl, cancelUrl };
}

/** What the answer to an order or to a request that ended means, where fal gives it a meaning. */
function explainError(answer: HttpAnswer): CallEnded | null {
  const errors = findJson(answer, modelErrorSchema)?.detail ?? [];
  const violation = errors.find(({ type }) => type === "content_policy_violation");
  if (violation !== undefined) {
    // Errors about a field of the request say so; those about the image have the body alone.
    return refused(violation.loc.length > 1 ? "request" : null, []);
  }
  // There is no status of its own for an empty account.
  if (answer.status === 403 && /exhausted balance/i.test(said(answer))) {
    return outOfQuota(said(answer));
  }
  return null;
}

/** How a request ended that gave no image. */
function explainEnd(answer: HttpAnswer): CallEnded {
  const known = explainError(answer);
  if (known !== null) return known;
  const { headers, status } = answer;
  const fromModel = findJson(answer, modelErrorSchema) !== null;
  // Said by fal of the request itself, and not by something on the way: it ended without an image.
  const fromPlatform = findJson(answer, platformErrorSchema)?.error_type !== undefined;
  const mayRepeat = status >= 500 || headers["x-fal-retryable"] === "true";
  if (fromPlatform || (fromModel && mayRepeat)) {
    return unavailable(`status ${status}: ${said(answer)}`);
  }
  return fromModel ? invalidRequest(said(answer)) : explainPollStatus(answer, said(answer));
}

function said(answer: HttpAnswer): string {
  const errors = findJson(answer, modelErrorSchema)?.detail;
  if (errors !== undefined) {
    return errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  }
  return findJson(answer, platformErrorSchema)?.detail ?? "";
}
