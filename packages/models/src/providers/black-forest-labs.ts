import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { toBase64 } from "./encode-reference.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { invalidRequest, refused, unavailable, unknown } from "./http/call-ended.ts";
import { explainPollStatus, explainStatus } from "./http/explain-status.ts";
import { fetchImage, type FetchResult } from "./http/fetch-result.ts";
import { readImage, type PixelSize } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { poll } from "./poll.ts";

export interface BlackForestLabsOptions extends CallLimits {
  readonly apiKey: string;
  /** Fetches an image by the URL that the provider gave, without the key. */
  readonly fetchResult: FetchResult;
  /** Default `https://api.bfl.ai`; `https://api.eu.bfl.ai` keeps requests in the EU. */
  readonly baseUrl?: string | undefined;
  /** Between two questions about a job, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** What a family of models takes, and calls it. */
interface Family {
  readonly prefix: string;
  readonly maxReferences: number;
  /** By image size. */
  readonly areas: Readonly<Record<string, PixelArea>>;
  readonly describe: (request: ProviderRequest, size: PixelSize) => object;
}

const families: readonly Family[] = [
  {
    prefix: "flux-2-",
    maxReferences: 8,
    // 4 MP at most. That no edge may be longer than 2048 is what resellers say; the vendor gives the
    // area alone.
    areas: {
      "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 16 },
      "2K": { pixels: 2000 ** 2, maxEdge: 2048, step: 16 },
    },
    describe: describeFlux2,
  },
  {
    prefix: "flux-3-",
    maxReferences: 10,
    // The model takes a ratio and a class and chooses the pixels itself. How many it makes of each
    // ratio is unverified, and a few less than a square of the class has pass.
    areas: {
      "1K": { pixels: 0.8 * 1024 ** 2, maxEdge: 8192, step: 16 },
      "2K": { pixels: 0.8 * 2048 ** 2, maxEdge: 8192, step: 16 },
      "4K": { pixels: 0.8 * 4096 ** 2, maxEdge: 8192, step: 16 },
    },
    describe: describeFlux3,
  },
];

/** The ratios of FLUX.3; upright ones are the same, turned. */
const flux3Ratios = ["21:9", "2:1", "16:9", "3:2", "7:5", "4:3", "5:4", "1:1"];

const acceptedSchema = z.object({ polling_url: z.string() });
const statusSchema = z.object({
  status: z.string(),
  result: z.looseObject({ sample: z.string().optional() }).nullish(),
  details: z.looseObject({ "Moderation Reasons": z.array(z.string()).optional() }).nullish(),
});
const detailSchema = z.object({ detail: z.unknown() });

/**
 * Black Forest Labs: FLUX.2 and FLUX.3.
 *
 * The provider may only be asked about a job by the `polling_url` that it gave, which is therefore
 * what is kept as the request id. It is asked, with the key, on hosts of `bfl.ai` alone. Moderated
 * requests are not charged, by the vendor's documentation. There is no cancel.
 *
 * Sources: docs.bfl.ai, pages "Errors" and "API integration", and the OpenAPI document of FLUX.2;
 * FLUX.3's fields and values from several programs that follow its documentation. That `details` has
 * "Moderation Reasons" is from such a program too.
 */
export function createBlackForestLabsProvider(options: BlackForestLabsOptions): Provider {
  const { apiKey, baseUrl = "https://api.bfl.ai", fetchResult } = options;
  const { pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { "x-key": apiKey },
    domains: ["bfl.ai"],
  });

  async function submit(request: ProviderRequest, size: PixelSize, signal: AbortSignal) {
    const family = familyOf(request);
    if (request.references.length > family.maxReferences) {
      throw invalidRequest(`${request.model} takes ${family.maxReferences} references at most`);
    }
    const answer = await send({
      method: "POST",
      url: `v1/${encodeURIComponent(request.model)}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(family.describe(request, size)),
      signal,
      asks: "to-make",
    });
    if (answer.status !== 200) throw explainStatus(answer, said(answer));
    return readJson(answer, acceptedSchema).polling_url;
  }

  async function ask(pollingUrl: string, signal: AbortSignal): Promise<string | null> {
    const answer = await send({ method: "GET", url: pollingUrl, signal, asks: "about-call" });
    // Final states come with statuses such as 503 as well: the body counts.
    const job = findJson(answer, statusSchema);
    if (job === null) throw explainPollStatus(answer, said(answer));
    const reasons = job.details?.["Moderation Reasons"] ?? [];
    switch (job.status) {
      case "Ready":
        if (job.result?.sample === undefined) throw unknown("ready, but without an image");
        return job.result.sample;
      case "Request Moderated":
        throw refused("request", reasons);
      case "Content Moderated":
        throw refused("image", reasons);
      case "Error":
        throw unavailable("the job failed");
      case "Task not found":
        throw unavailable("the job is not known to the provider any more");
      default:
        // Pending, Reasoning, Generating, and whatever else it may call being busy.
        return null;
    }
  }

  return createAdapter({
    name: "bfl",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = pixelsOf(request, familyOf(request).areas);
      const pollingUrl = resumeRequestId ?? (await submit(request, size, signal));
      if (resumeRequestId === null) await call.onRequestId(pollingUrl);
      const sample = await poll({
        ask: () => ask(pollingUrl, signal),
        intervalMs: pollIntervalMs,
        signal,
      });
      const image = await readImage(await fetchImage(sample, signal, fetchResult), size);
      return { kind: "image", image, turn: null };
    },
  });
}

function familyOf({ model }: ProviderRequest): Family {
  const family = families.find(({ prefix }) => model.startsWith(prefix));
  if (family === undefined) throw invalidRequest(`no way is known to ask ${model}`);
  return family;
}

function describeFlux2(request: ProviderRequest, { height, width }: PixelSize): object {
  const { prompt, references, seed } = request;
  const images = references.map((reference, index) => [
    index === 0 ? "input_image" : `input_image_${index + 1}`,
    toBase64(reference),
  ]);
  return {
    prompt: describeReferences(prompt, references),
    width,
    height,
    seed,
    output_format: "png",
    ...Object.fromEntries(images),
  };
}

/** There is no seed and no format. */
function describeFlux3({ aspectRatio, imageSize, prompt, references }: ProviderRequest): object {
  const turned = aspectRatio.split(":").toReversed().join(":");
  if (!flux3Ratios.includes(aspectRatio) && !flux3Ratios.includes(turned)) {
    throw invalidRequest(`no aspect ratio ${aspectRatio}`);
  }
  return {
    prompt: describeReferences(prompt, references),
    aspect_ratio: aspectRatio,
    resolution: imageSize.toLowerCase(),
    // Otherwise the prompt goes to a search of the web, which no client has asked for.
    grounding: false,
    ...(references.length === 0 ? {} : { images: references.map(toBase64) }),
  };
}

/** `detail` is a text, or a list of what is wrong with which field. */
function said(answer: HttpAnswer): string {
  const detail = findJson(answer, detailSchema)?.detail;
  if (detail === undefined) return "";
  return typeof detail === "string" ? detail : JSON.stringify(detail);
}
