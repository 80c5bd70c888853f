import { AtelierError, ConnectionError, errorOfAnswer } from "./errors.ts";
import { pause } from "./pause.ts";
import { longestRetryAfterMs, pauseBeforeRetryMs, readRetryAfter } from "./retry.ts";

export interface TransportOptions {
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly attemptTimeoutMs: number;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the body of a good answer; what breaks while it is read is tried again with the rest.
 *
 * @param onProgress to be called while more arrives: only silence counts against the time then.
 */
export type Read<Result> = (response: Response, onProgress: () => void) => Promise<Result>;

/** Sends one request until it is answered for good. */
export type Transport = <Result>(request: HttpRequest, read: Read<Result>) => Promise<Result>;

/**
 * A transport that repeats what is safe and sensible to repeat: no answer, 429, 503, and a gateway's
 * own 502 and 504. An error that names a job is never repeated: the job says how it ended.
 *
 * Its promises are rejected with an AtelierError, or with the reason of the request's signal.
 */
export function createTransport(options: TransportOptions): Transport {
  return async (request, read) => {
    for (let retries = 0; ; retries += 1) {
      request.signal?.throwIfAborted();
      try {
        return await attempt(request, read, options);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof AtelierError)) throw error;
        if (retries >= options.maxRetries || !isWorthRepeating(error)) throw error;
        const pauseMs = pauseBeforeRetryMs(retries, error.retryAfterMs, Math.random());
        await pause(pauseMs, request.signal);
      }
    }
  };
}

/** Whether the same request may be answered otherwise in a while. */
export function isWorthRepeating({ status, code, jobId, retryAfterMs }: AtelierError): boolean {
  if (jobId !== null || (retryAfterMs ?? 0) > longestRetryAfterMs) return false;
  if (status === null) return code === "connection_failed";
  if (status === 429 || status === 503) return true;
  return (status === 502 || status === 504) && code === "unexpected_answer";
}

async function attempt<Result>(
  { url, signal, ...init }: HttpRequest,
  read: Read<Result>,
  options: TransportOptions,
): Promise<Result> {
  const { attemptTimeoutMs } = options;
  const timeout = new AbortController();
  const startTimer = () => setTimeout(() => timeout.abort(), attemptTimeoutMs);
  let timer = startTimer();
  const onProgress = () => {
    clearTimeout(timer);
    timer = startTimer();
  };
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    const response = await options.fetch(url, { ...init, signal: either });
    if (!response.ok) throw await readError(response);
    return await read(response, onProgress);
  } catch (error) {
    if (error instanceof AtelierError) throw error;
    const { origin } = new URL(url);
    throw new ConnectionError(
      "connection_failed",
      timeout.signal.aborted
        ? `${origin} did not answer within ${attemptTimeoutMs / 1_000} s. Try again later.`
        : `${origin} could not be reached. Check the address, and that the service runs.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The error of an answer that is not a 2xx, whoever gave it. */
async function readError(response: Response): Promise<AtelierError> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfterMs = readRetryAfter(headers.get("Retry-After"), Date.now());
  const body = parseErrorBody(text);
  if (body === null) {
    return new ConnectionError(
      "unexpected_answer",
      `${nameOf(response)} answered ${status}, and not as an Atelier does. Check the address.`,
      { status, retryAfterMs },
    );
  }
  return errorOfAnswer(status, body.error, body.message, {
    details: body.details,
    requestId: body.request_id ?? headers.get("X-Request-Id"),
    jobId: headers.get("X-Service-Job-Id"),
    retryAfterMs,
  });
}

interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly request_id?: string;
  readonly details?: unknown;
}

function parseErrorBody(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.error === "string" && typeof body.message === "string"
      ? (body as ErrorBody)
      : null;
  } catch {
    return null;
  }
}

/** Reads a body that must be JSON; the answer of a proxy or a captive portal is not. */
export async function readJson<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Result;
  } catch (cause) {
    throw new ConnectionError(
      "unexpected_answer",
      `${nameOf(response)} did not answer in JSON as an Atelier does. Check the address.`,
      { status: response.status, cause },
    );
  }
}

/** A fetch of the caller's own may not say where an answer is from. */
function nameOf({ url }: Response): string {
  return url === "" ? "The server" : new URL(url).origin;
}
