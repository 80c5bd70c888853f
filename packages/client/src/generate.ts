import type { Api } from "./api.ts";
import { AtelierError } from "./errors.ts";
import { assertHeaderValue } from "./headers.ts";
import type { Jobs } from "./jobs.ts";
import type { GenerateOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type { Generation, JobAccepted } from "./types.ts";

/**
 * How long a request waits for its image, in seconds, before it is answered with the job: most images
 * are there by then without another question, and it is less than any common proxy allows.
 */
const waitSeconds = 20;

/**
 * Has something made: sends the request under one idempotency key, takes its answer if it comes soon,
 * and follows its job otherwise.
 */
export function createGenerate(api: Api, jobs: Jobs) {
  return async (
    path: string,
    request: object,
    { signal, onProgress, idempotencyKey = makeIdempotencyKey() }: GenerateOptions = {},
  ): Promise<Generation> => {
    assertHeaderValue("idempotencyKey", idempotencyKey);
    // Whoever wants to see it progress is told of the job at once.
    const wait = onProgress === undefined ? `, wait=${waitSeconds}` : "";
    const headers = { "Idempotency-Key": idempotencyKey, Prefer: `respond-async${wait}` };
    const read = (response: Response) => readJson<Generation | JobAccepted>(response);
    const answer = await api
      .post(path, request, read, { signal, headers })
      .catch((error: unknown) => ({ job_id: jobStillOpen(error) }));
    if (!("job_id" in answer)) return answer;
    const { result } = await jobs.wait(answer.job_id, { signal, onProgress });
    return result;
  };
}

/**
 * The job of a request whose answer could not be given, though the job was accepted.
 *
 * @throws the error, when it is the answer.
 */
function jobStillOpen(error: unknown): string {
  if (error instanceof AtelierError && error.jobId !== null && error.status !== null) {
    if (error.status >= 500 || error.code === "idempotency_in_progress") return error.jobId;
  }
  throw error;
}

/** 128 random bits. `crypto.randomUUID` is not there on pages served over plain HTTP; this is. */
function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
