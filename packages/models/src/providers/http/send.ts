import type { buildConnector, Dispatcher } from "undici";
import { CallEnded, timedOut, unavailable, unknown } from "./call-ended.ts";
import { startRealTimer, type StartTimer } from "./timer.ts";

/** The limits of an adapter's calls; each has a default. */
export interface CallLimits {
  /** Timeout of the whole call including polls and downloads, in milliseconds. Default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /**
   * Maximum time between received bytes of a response's body, in milliseconds, and for the whole response to
   * a poll to begin. A server may send the headers of an image long before the image. Default 30,000.
   */
  readonly idleTimeoutMs?: number | undefined;
  /** Timeout for DNS, TCP and TLS, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Maximum response size in bytes. Default 128 MiB, enough for a 4K image in base64. */
  readonly maxResponseBytes?: number | undefined;
  /** Default: setTimeout. */
  readonly startTimer?: StartTimer | undefined;
}

export interface HttpOptions extends CallLimits {
  /** The provider's URL; credentials are sent to its origin. */
  readonly baseUrl: string;
  /**
   * Headers that contain the key, in lower case. They are only sent to the provider's own hosts.
   */
  readonly credentials: Readonly<Record<string, string>>;
  /**
   * Domains of the provider besides `baseUrl`, such as `bfl.ai`: HTTPS only, including subdomains.
   */
  readonly domains?: readonly string[];
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * A path relative to `baseUrl` without a leading slash, or a full URL that the provider returned.
   */
  readonly url: string;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /**
   * `generate`: requests an image. If it was certainly not sent, the outcome is unavailable.
   * `poll`: asks for the state of a call that continues independently. Every failure leaves the
   * call unknown, to be resumed.
   */
  readonly purpose: "generate" | "poll";
}

/** A response with any status. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; the first value of repeated headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request to the provider. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Creates the function that sends an adapter's requests. It does not follow redirects, does not
 * decompress responses, and sends nothing to hosts other than the provider's, so that the key stays
 * private.
 *
 * Every request uses a new connection. The server may close a kept-alive connection just as it is
 * reused, which would leave unclear whether an image was requested.
 *
 * The function throws CallEnded: `unavailable` when the request was certainly not sent; `unknown`
 * when the response was lost, too large or not valid HTTP; `timed-out` when the image was on its way and
 * stalled.
 */
export function createSend(options: HttpOptions): Send {
  const { credentials, domains = [] } = options;
  const { connectTimeoutMs = 10_000, idleTimeoutMs = 30_000 } = options;
  const { maxResponseBytes = 128 * 1024 * 1024, startTimer = startRealTimer } = options;
  const base = new URL(options.baseUrl.endsWith("/") ? options.baseUrl : `${options.baseUrl}/`);
  let connect: buildConnector.connector | null = null;

  return async function send(request) {
    const { purpose: asks, signal } = request;
    const url = resolve(request.url);
    const undici = await import("undici");
    connect ??= undici.buildConnector({ timeout: connectTimeoutMs, allowH2: false });
    const connectTo = connect;
    const givenUp = "aborted before the response arrived";
    if (signal.aborted) throw asks === "generate" ? unavailable(givenUp) : unknown(givenUp);
    let sent = false;
    const stop = new AbortController();
    const end = (reason: string): void => stop.abort(new Ended(reason));
    // The response to an image request may arrive only with the image; a poll is answered at once.
    const cancelTimer =
      asks === "poll"
        ? startTimer(idleTimeoutMs, () => end("no response to a poll"))
        : () => undefined;
    const onAbort = (): void => end(givenUp);
    signal.addEventListener("abort", onAbort);
    const client = new undici.Client(url.origin, {
      connect(target, done) {
        connectTo(target, (...result) => {
          // From here on, bytes of the request may have been sent.
          sent = result[0] === null;
          done(...result);
        });
      },
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const response = await client.request({
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: {
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": "Atelier/1.0",
          ...request.headers,
          ...credentials,
        },
        body: request.body ?? null,
        reset: true,
        signal: stop.signal,
      });
      cancelTimer();
      return {
        status: response.statusCode,
        headers: firstOfEach(response.headers),
        body: await readBody(response, asks, end),
      };
    } catch (error) {
      throw toCallEnded(error, asks, sent);
    } finally {
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
      await client.destroy();
    }
  };

  function resolve(text: string): URL {
    const url = URL.canParse(text, base.href) ? new URL(text, base.href) : null;
    if (url === null || !isOwn(url)) {
      // After submission, the image may exist even if its URL is not usable.
      throw unknown("the provider named a host that is not its own");
    }
    return url;
  }

  function isOwn(url: URL): boolean {
    if (url.username !== "" || url.password !== "") return false;
    if (url.origin === base.origin) return true;
    if (url.protocol !== "https:" || url.port !== "") return false;
    return domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  }

  async function readBody(
    { body, headers }: Dispatcher.ResponseData,
    asks: HttpRequest["purpose"],
    end: (reason: string) => void,
  ): Promise<Buffer> {
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity")
      throw new Ended("the response is compressed");
    if (Number(headers["content-length"]) > maxResponseBytes)
      throw new Ended("the response is too large");
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const wait = (): (() => void) => startTimer(idleTimeoutMs, () => end(stalled));
    let cancelIdle = asks === "poll" ? wait() : () => undefined;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        cancelIdle();
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxResponseBytes) throw new Ended("the response is too large");
        chunks.push(chunk);
        cancelIdle = wait();
      }
    } finally {
      cancelIdle();
    }
    return Buffer.concat(chunks);
  }
}

const stalled = "the response stalled";

/** Why this side ended a request. */
class Ended extends Error {
  override readonly name = "Ended";
}

function toCallEnded(error: unknown, asks: HttpRequest["purpose"], sent: boolean): CallEnded {
  const nothingSent = asks === "generate" && !sent;
  // Use only our own texts and codes: an error message may contain an address or a header.
  const why = error instanceof Ended ? error.message : `connection failed: ${codeOf(error)}`;
  if (asks === "generate" && why === stalled) return timedOut(why);
  const { outcome } = nothingSent ? unavailable(why) : unknown(why);
  return new CallEnded(outcome, { isRefused: nothingSent && isRefused(error) });
}

const refusals: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

/** Whether all addresses of a host refused the connection. */
function isRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isRefused);
  return refusals.has((error as { code?: unknown }).code);
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === "string") return code;
  return typeof name === "string" ? name : "Error";
}

function firstOfEach(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}
