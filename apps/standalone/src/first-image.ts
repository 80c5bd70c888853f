import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { verifyProvenance } from "@atelier/provenance";
import {
  AppError,
  errorBody,
  errorStatus,
  imageFormat,
  job,
  jobAccepted,
  type ErrorCode,
  type GenerationResponse,
  type ImageFormat,
  type Job,
} from "@atelier/schemas";
import type { Demo } from "./demo-account.ts";
import { describeError } from "./describe-error.ts";
import type { Progress } from "./progress.ts";

const timeoutMs = 120_000;
const pollMs = 100;

export const firstRequest = {
  model: "builtin-illustrator",
  prompt: "A lighthouse on a cliff above the sea at sunset, two sailing boats and seagulls",
  aspect_ratio: "16:9",
} as const;

export interface FirstImageOptions {
  readonly home: string;
  readonly demo: Demo;
  /** The roots that its manifests must lead to, in PEM. */
  readonly trustAnchorsPem: string;
  readonly step: Progress["step"];
  readonly interrupted: AbortSignal;
}

export interface FirstImage {
  readonly response: GenerationResponse;
  readonly files: readonly SavedFile[];
}

interface SavedFile {
  readonly format: ImageFormat;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Makes one image as any client would, saves its three files in `$ATELIER_HOME/images`, and checks
 * that they are what the answer says and carry manifests that verify.
 *
 * @throws AppError with the code of the API when it refuses, or when the job failed.
 */
export async function makeFirstImage(options: FirstImageOptions): Promise<FirstImage> {
  const { home, demo, trustAnchorsPem, step } = options;
  const signal = AbortSignal.any([options.interrupted, AbortSignal.timeout(timeoutMs)]);
  const response = await step(
    "Making an image",
    (update) => generate(demo, signal, (status) => update(`Making an image: ${status}`)),
    ({ cost_eur, balance_eur }) => `Image made for ${cost_eur} EUR, ${balance_eur} EUR left`,
  );
  const files = await step(
    "Fetching it",
    () => save(response, join(home, "images"), signal),
    () => "PNG, JPEG and WebP saved, each with the SHA-256 of the answer",
  );
  await step(
    "Verifying its C2PA manifests",
    () => verify(files, trustAnchorsPem),
    () => "C2PA manifests verified in all three",
  );
  return { response, files };
}

/** What to tell the user when there is no image, and what to do about it. */
export function explainFailure(error: unknown, demo: Demo): string {
  if (error instanceof AppError && error.code === "insufficient_credit") {
    return (
      "No image this time: the demo account has no credit left. " +
      `Top it up with: npm run atelier -- accounts top-up ${demo.account_id} 10`
    );
  }
  return `No image this time: ${describeError(error)}`;
}

/** Sends the request and follows its job. */
async function generate(
  demo: Demo,
  signal: AbortSignal,
  onStatus: (status: Job["status"]) => void,
): Promise<GenerationResponse> {
  const accepted = await call(demo, "/v1/generate/image", { body: firstRequest, signal });
  const { job_id } = jobAccepted.parse(accepted);
  for (;;) {
    const { status, result, error } = job.parse(await call(demo, `/v1/jobs/${job_id}`, { signal }));
    onStatus(status);
    if (result !== null) return result;
    if (error !== null) throw refusal(error.error, error.message);
    if (status === "cancelled") throw new Error("The job was cancelled.");
    await delay(pollMs, undefined, { signal });
  }
}

/** Fetches every format from its signed URL. */
async function save(
  image: GenerationResponse,
  directory: string,
  signal: AbortSignal,
): Promise<SavedFile[]> {
  await mkdir(directory, { recursive: true });
  return Promise.all(
    imageFormat.options.map(async (format) => {
      const variant = image.formats?.[format];
      if (variant === undefined) throw new Error(`The answer has no ${format}.`);
      const answer = await fetch(variant.url, { signal });
      if (!answer.ok) throw new Error(`The URL of the ${format} answers ${answer.status}.`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      if (sha256 !== variant.hash) {
        throw new Error(`The ${format} has another SHA-256 than the answer says: ${sha256}`);
      }
      const path = join(directory, `first-image.${format}`);
      await writeFile(path, bytes);
      return { format, path, sha256, sizeBytes: bytes.length };
    }),
  );
}

async function verify(files: readonly SavedFile[], trustAnchorsPem: string): Promise<void> {
  for (const { path } of files) {
    const { state, problems } = await verifyProvenance(await readFile(path), { trustAnchorsPem });
    if (state !== "trusted") {
      throw new Error(`The C2PA manifest of ${path} is ${[state, ...problems].join(", ")}.`);
    }
  }
}

/** One request as the demo account; a body makes it a POST. */
async function call(
  demo: Demo,
  path: string,
  request: { readonly body?: object; readonly signal: AbortSignal },
): Promise<unknown> {
  const answer = await fetch(`${demo.base_url}${path}`, {
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      "content-type": "application/json",
      prefer: "respond-async",
    },
    signal: request.signal,
    ...(request.body && { method: "POST", body: JSON.stringify(request.body) }),
  });
  const body: unknown = await answer.json();
  if (answer.ok) return body;
  const { error, message } = errorBody.parse(body);
  throw refusal(error, message);
}

function refusal(code: string, message: string): Error {
  return isErrorCode(code) ? new AppError(code, message) : new Error(`${code}: ${message}`);
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}
