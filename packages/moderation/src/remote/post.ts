import { parseRetryAfter } from "@atelier/kit";
import { RemoteDown, type DownReason } from "./classifier.ts";

export interface RemoteOptions {
  /** With its version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Headers that authenticate a request, by its body. */
  readonly authenticate: (body: string) => Readonly<Record<string, string>>;
  /** Timeout of one request. */
  readonly timeoutMs: number;
  /** Called at the end of each request that the caller did not abort. */
  readonly onRequest?: (outcome: RequestOutcome, durationMs: number) => void;
}

/** How a request to the remote model ended; `ok` is a response that was understood. */
export type RequestOutcome = "ok" | DownReason;

/**
 * Sends one request to the remote model.
 *
 * @param path what follows the base URL; empty for the base URL itself.
 * @param read turns the JSON of the response into the result. When it throws, the response is malformed.
 * @throws RemoteDown without a valid response in time.
 * @throws the signal's reason when the caller aborts.
 */
export type Post = <Result>(
  path: string,
  body: object,
  read: (answer: unknown) => Result,
  signal: AbortSignal,
) => Promise<Result>;

const maxAnswerBytes = 1024 * 1024;

/** Redirects are not followed, because the key would be sent along. */
export function createPost(options: RemoteOptions): Post {
  const { onRequest = () => undefined } = options;
  return async (path, body, read, signal) => {
    const startedAt = performance.now();
    try {
      const result = await send(options, path, body, read, signal);
      onRequest("ok", performance.now() - startedAt);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const down = toRemoteDown(error);
      onRequest(down.reason, performance.now() - startedAt);
      throw down;
    }
  };
}

async function send<Result>(
  { baseUrl, authenticate, timeoutMs }: RemoteOptions,
  path: string,
  body: object,
  read: (answer: unknown) => Result,
  signal: AbortSignal,
): Promise<Result> {
  const json = JSON.stringify(body);
  const response = await fetch(path === "" ? baseUrl : `${baseUrl}/${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", ...authenticate(json) },
    body: json,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel();
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after") ?? undefined);
    throw new RemoteDown(reasonOf(status), `status ${status}`, { status, retryAfterMs });
  }
  const text = await readText(response);
  try {
    return read(JSON.parse(text));
  } catch (error) {
    if (error instanceof RemoteDown) throw error;
    // The response is left out: it may repeat the prompt.
    throw new RemoteDown("malformed", "a response of an unexpected form");
  }
}

function reasonOf(status: number): DownReason {
  if (status === 429) return "rate-limited";
  if (status === 408 || status >= 500) return "unavailable";
  if (status < 400 || [401, 403, 404, 405].includes(status)) return "misconfigured";
  return "rejected";
}

function toRemoteDown(error: unknown): RemoteDown {
  if (error instanceof RemoteDown) return error;
  return new RemoteDown("unavailable", error instanceof Error ? error.name : "no response");
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes) {
      throw new RemoteDown("malformed", "a response that is too large");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Authenticates with a bearer token; null for a server without keys. */
export function bearer(key: string | null): RemoteOptions["authenticate"] {
  return () => (key === null ? {} : { Authorization: `Bearer ${key}` });
}
