import type { Api } from "./api.ts";
import { AtelierError } from "./errors.ts";
import { assertHeaderValue } from "./headers.ts";
import type { Jobs } from "./jobs.ts";
import type { GenerateOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type { Generation, JobAccepted } from "./types.ts";

/**
 * Seconds that a request waits for its image before the response is the job. Most images are done by
 * then, and no common proxy has a shorter timeout.
 */
const waitSeconds = 20;

/**
 * Creates a function that sends a generation request with one idempotency key, and returns its result
 * from the response or by polling the job.
 */
export function createGenerate(api: Api, jobs: Jobs) {
  return async (
    endpoint: string,
    request: object,
    { signal, onProgress, idempotencyKey = createIdempotencyKey() }: GenerateOptions = {},
  ): Promise<Generation> => {
    assertHeaderValue("idempotencyKey", idempotencyKey);
    // With onProgress, the response is the job at once.
    const wait = onProgress === undefined ? `, wait=${waitSeconds}` : "";
    const headers = { "Idempotency-Key": idempotencyKey, Prefer: `respond-async${wait}` };
    const read = (response: Response) => readJson<Generation | JobAccepted>(response);
    const answer = await api
      .send(endpoint, read, { body: request, signal, headers })
      .catch((error: unknown) => ({ job_id: readUnfinishedJobId(error) }));
    if (!("job_id" in answer)) return answer;
    const { result } = await jobs.wait(answer.job_id, { signal, onProgress });
    return result;
  };
}

/**
 * Returns the unfinished job of a failed request.
 *
 * @throws the error, if it has no such job.
 */
function readUnfinishedJobId(error: unknown): string {
  if (error instanceof AtelierError && error.jobId !== null && error.status !== null) {
    if (error.status >= 500 || error.code === "idempotency_in_progress") return error.jobId;
  }
  throw error;
}

/** 128 random bits. Unlike `crypto.randomUUID`, this works on pages served over plain HTTP. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
