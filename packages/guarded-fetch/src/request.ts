import { callbackify } from "node:util";
import type { Dispatcher } from "undici";
import { codeOf, noConnection, type Connector } from "./connect.ts";
import { GuardedRequestError } from "./errors.ts";
import { hostOf, parsePublicHttpsUrl } from "./public-url.ts";

interface GuardedRequestOptions {
  readonly connect: Connector;
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** Timeout from the first DNS lookup to the last byte, including redirects, in milliseconds. */
  readonly totalTimeoutMs: number;
  /** Timeout without data while waiting for headers or body, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** The Accept header. */
  readonly accept: string;
  readonly signal: AbortSignal;
}

const userAgent = "Atelier/1.0 (image fetcher)";
const maxHeaderBytes = 16 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a GET to an untrusted HTTPS URL and reads its body up to a limit. Every redirect is checked
 * like the first URL and uses a new connection. No cookies, no referrer, no proxy, no cache, and no
 * content encoding, which excludes decompression bombs.
 *
 * @throws GuardedRequestError for every failure that the other side can cause.
 * @throws the signal's reason when the caller aborts.
 */
export async function guardedRequest(
  url: string,
  options: GuardedRequestOptions,
): Promise<Uint8Array> {
  const { maxRedirects, signal, totalTimeoutMs } = options;
  // The time of the request begins once it is loaded.
  const { Client } = await import("undici");
  const deadline = AbortSignal.timeout(totalTimeoutMs);
  const stop = AbortSignal.any([signal, deadline]);
  let target = parsePublicHttpsUrl(url);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await requestOnce(Client, target, options, stop).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof GuardedRequestError) throw error;
      throw classify(error);
    });
    if (answer.body !== undefined) return answer.body;
    if (redirects >= maxRedirects) {
      throw new GuardedRequestError("too_many_redirects", "too many redirects");
    }
    target = parseRedirect(answer.location, target);
  }
}

type Answer = { body: Uint8Array } | { body?: undefined; location: string };

async function requestOnce(
  Client: typeof import("undici").Client,
  url: URL,
  options: GuardedRequestOptions,
  stop: AbortSignal,
): Promise<Answer> {
  const { accept, connect, idleTimeoutMs, maxBytes } = options;
  const client = new Client(url.origin, {
    connect: (_target, done) =>
      callbackify(() => connect(hostOf(url), stop))((error, socket) =>
        error ? done(error, null) : done(null, socket),
      ),
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  });
  try {
    const response = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: { accept, "accept-encoding": "identity", "user-agent": userAgent },
      reset: true,
      signal: stop,
    });
    const { location } = response.headers;
    if (redirectStatuses.has(response.statusCode) && typeof location === "string") {
      return { location };
    }
    return { body: await readBody(response, maxBytes) };
  } finally {
    await client.destroy();
  }
}

async function readBody(
  { body, headers, statusCode }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Uint8Array> {
  if (statusCode !== 200) {
    throw new GuardedRequestError("status_not_ok", `status ${statusCode}`, {
      retryable: statusCode >= 500 || statusCode === 408 || statusCode === 429,
    });
  }
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new GuardedRequestError("encoded_content", "content encoding");
  }
  const tooLarge = new GuardedRequestError("too_large", `more than ${maxBytes} bytes`);
  if (Number(headers["content-length"]) > maxBytes) throw tooLarge;

  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    // After valid headers, these codes almost always mean a truncated body.
    const code = codeOf(error);
    throw cutShortCodes.includes(code) ? connectionLost(code) : error;
  }
  return Buffer.concat(chunks);
}

function parseRedirect(location: string, from: URL): URL {
  try {
    return parsePublicHttpsUrl(location, from);
  } catch (error) {
    // A redirect to an internal host gives the same error as an unreachable host.
    if (error instanceof GuardedRequestError && error.reason !== "unreachable") {
      throw new GuardedRequestError("redirect_refused", `redirect: ${error.message}`);
    }
    throw error;
  }
}

const timeoutCodes = ["TimeoutError", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];
/** Of undici, before a connection: not a problem of a response. */
const connectTimeoutCode = "UND_ERR_CONNECT_TIMEOUT";
const lostCodes = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET"];
const cutShortCodes = ["HTTPParserError", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/** Classifies an error after the connection was established. */
export function classify(error: unknown): unknown {
  const code = codeOf(error);
  if (code === connectTimeoutCode) return noConnection(error, true);
  if (timeoutCodes.includes(code)) {
    return new GuardedRequestError("timeout", `timeout: ${code}`, { retryable: true });
  }
  if (lostCodes.includes(code)) return connectionLost(code);
  if (/^(HTTPParserError|UND_ERR_|ERR_SSL_|EPROTO)/.test(code)) {
    return new GuardedRequestError("bad_response", `not proper HTTP: ${code}`);
  }
  return error;
}

function connectionLost(why: string): GuardedRequestError {
  return new GuardedRequestError("connection_lost", `connection lost: ${why}`, { retryable: true });
}
