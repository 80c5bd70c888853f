import { callbackify } from "node:util";
import { Client, type Dispatcher } from "undici";
import { codeOf, type Connector } from "./connect.ts";
import { GuardedRequestError } from "./errors.ts";
import { hostOf, parsePublicHttpsUrl } from "./public-url.ts";

export interface GuardedRequestOptions {
  readonly connect: Connector;
  /** The largest body that is read, in bytes. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** From the first look-up to the last byte, all redirects included, in milliseconds. */
  readonly totalTimeoutMs: number;
  /** The longest silence while waiting for headers or for more of the body, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** The Accept header. */
  readonly accept: string;
  readonly signal: AbortSignal;
}

const userAgent = "Atelier/1.0 (image fetcher)";
const maxHeaderBytes = 16 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * GETs an untrusted HTTPS URL and reads its body, up to a limit. Every hop is
 * checked from the start and has a connection of its own, which ends with it.
 * No cookies, no referrer, no proxy, no cache, no content encoding (a body that
 * cannot be decompressed cannot be a decompression bomb).
 *
 * @throws GuardedRequestError for all that the other side can cause.
 * @throws the signal's reason when the caller aborts.
 */
export async function guardedRequest(
  url: string,
  options: GuardedRequestOptions,
): Promise<Uint8Array> {
  const { maxRedirects, signal, totalTimeoutMs } = options;
  const deadline = AbortSignal.timeout(totalTimeoutMs);
  const stop = AbortSignal.any([signal, deadline]);
  let target = parsePublicHttpsUrl(url);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await requestOnce(target, options, stop).catch((error: unknown) => {
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
    // Once the headers were good, these are nearly always about a body that ended too early.
    const code = codeOf(error);
    throw cutShortCodes.includes(code) ? connectionLost(code) : error;
  }
  return Buffer.concat(chunks);
}

function parseRedirect(location: string, from: URL): URL {
  try {
    return parsePublicHttpsUrl(location, from);
  } catch (error) {
    // A redirect into the inside says the same as any host that cannot be reached.
    if (error instanceof GuardedRequestError && error.reason !== "unreachable") {
      throw new GuardedRequestError("redirect_refused", `redirect: ${error.message}`);
    }
    throw error;
  }
}

const timeoutCodes = ["TimeoutError", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];
const lostCodes = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET"];
const cutShortCodes = ["HTTPParserError", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/** What went wrong after the connection stood. */
function classify(error: unknown): unknown {
  const code = codeOf(error);
  if (timeoutCodes.includes(code)) {
    return new GuardedRequestError("timeout", `time-out: ${code}`, { retryable: true });
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
