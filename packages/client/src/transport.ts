import { AtelierError, ConnectionError, createResponseError } from "./errors.ts";
import { pause } from "./pause.ts";
import { longestRetryAfterMs, pauseBeforeRetryMs, readRetryAfter } from "./retry.ts";
import type { Bytes } from "./types.ts";

export interface TransportOptions {
  /**
   * Replaces the global `fetch`, for example to use a proxy. It must abort when its signal does. Default:
   * the global `fetch` at the time of each request.
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Maximum number of retries of a request after a connection failure, 429, 503, or a gateway's 502 or
   * 504. Default: 4; 0 never retries. `Retry-After` determines the delay, otherwise a backoff of up to
   * 8 s; a `Retry-After` of more than a minute fails the call. Requests that create a secret are retried
   * only after 429 and 503, because a lost response may have created one.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Timeout of one attempt in milliseconds, restarted whenever a part of a download arrives. Default:
   * 60,000. A generation waits up to 20 s for its response: with a shorter timeout it is sent again
   * under its idempotency key.
   */
  readonly attemptTimeoutMs?: number | undefined;
}

/** Options with their defaults. */
interface Settings {
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly attemptTimeoutMs: number;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Bytes;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request must not be executed twice. It is not retried when its response was lost, since
   * it may have been executed.
   */
  readonly once?: boolean | undefined;
  /** Timeout of an attempt in milliseconds, if it is longer than that of the transport. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether a redirect is followed. By default it is an error: a redirect from http to https has
   * already received the API key in the clear, and one to another host would not receive it.
   */
  readonly followRedirects?: boolean;
}

/**
 * Reads the body of a successful response. A failure while reading is retried like the request.
 *
 * @param onProgress restarts the timeout; call it when data arrives.
 */
export type Read<Result> = (response: Response, onProgress: () => void) => Promise<Result>;

/** Sends a request with retries. */
export type Transport = <Result>(request: HttpRequest, read: Read<Result>) => Promise<Result>;

/**
 * Creates a transport that retries connection failures, 429, 503, and a gateway's 502 and 504. An error
 * with a job id is never retried: the job has the outcome.
 *
 * Its promises reject with an AtelierError, or with the reason of the request's signal.
 */
export function createTransport(options: TransportOptions): Transport {
  const settings: Settings = {
    // Browsers reject a `fetch` that is called as a property of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    maxRetries: options.maxRetries ?? 4,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 60_000,
  };
  return async (request, read) => {
    for (let retries = 0; ; retries += 1) {
      request.signal?.throwIfAborted();
      try {
        return await attempt(request, read, settings);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof AtelierError)) throw error;
        if (retries >= settings.maxRetries || !isRetryable(error)) throw error;
        if (request.once === true && error.status !== 429 && error.status !== 503) throw error;
        const pauseMs = pauseBeforeRetryMs(retries, error.retryAfterMs, Math.random());
        await pause(pauseMs, request.signal);
      }
    }
  };
}

/** Whether the same request may succeed later. */
export function isRetryable({ status, code, jobId, retryAfterMs }: AtelierError): boolean {
  if (jobId !== null || (retryAfterMs ?? 0) > longestRetryAfterMs) return false;
  if (status === null) return code === "connection_failed";
  if (status === 429 || status === 503) return true;
  return (status === 502 || status === 504) && code === "unexpected_answer";
}

async function attempt<Result>(
  { url, signal, once: _once, timeoutMs = 0, followRedirects = false, ...init }: HttpRequest,
  read: Read<Result>,
  settings: Settings,
): Promise<Result> {
  const attemptTimeoutMs = Math.max(settings.attemptTimeoutMs, timeoutMs);
  const timeout = new AbortController();
  const startTimer = () => setTimeout(() => timeout.abort(), attemptTimeoutMs);
  let timer = startTimer();
  const onProgress = () => {
    clearTimeout(timer);
    timer = startTimer();
  };
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    const redirect = followRedirects ? "follow" : "manual";
    const response = await settings.fetch(url, { ...init, redirect, signal: either });
    if (!followRedirects && isRedirect(response)) throw createRedirectError(url, response);
    if (!response.ok) throw await readError(response);
    return await read(response, onProgress);
  } catch (error) {
    if (error instanceof AtelierError) throw error;
    const { origin } = new URL(url);
    throw new ConnectionError(
      "connection_failed",
      timeout.signal.aborted
        ? `${origin} did not respond within ${attemptTimeoutMs / 1_000} s. Try again later.`
        : `${origin} could not be reached. Check the address and that the service is running.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers hide the status and the target of a redirect that they do not follow. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status);
}

function createRedirectError(url: string, response: Response): ConnectionError {
  const { origin, protocol } = new URL(url);
  const location = response.headers.get("Location");
  const target = location === null ? null : URL.parse(location, url);
  const to = target === null ? "another address" : target.origin + target.pathname;
  const advice =
    protocol === "http:" && target?.protocol === "https:"
      ? "The API key was sent without encryption. Use the https:// address as baseUrl."
      : "Use the address of the service itself as baseUrl.";
  return new ConnectionError(
    "unexpected_answer",
    `${origin} redirects to ${to}, and redirects are not followed. ${advice}`,
    { status: response.status },
  );
}

/** Creates the error of a response that is not a 2xx, from the service or a proxy. */
async function readError(response: Response): Promise<AtelierError> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfterMs = readRetryAfter(headers.get("Retry-After"), Date.now());
  const body = parseErrorBody(text);
  if (body === null) {
    return new ConnectionError(
      "unexpected_answer",
      `${nameOf(response)} returned ${status} without an Atelier error body. Check the address.`,
      { status, retryAfterMs },
    );
  }
  return createResponseError(status, body.error, body.message, {
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

/** Parses a JSON body; responses of proxies and captive portals are rejected. */
export async function readJson<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Result;
  } catch (cause) {
    throw new ConnectionError(
      "unexpected_answer",
      `${nameOf(response)} returned a body that is not JSON. Check the address.`,
      { status: response.status, cause },
    );
  }
}

/** The origin of a response. A custom fetch may not set its URL. */
function nameOf({ url }: Response): string {
  return url === "" ? "The server" : new URL(url).origin;
}
