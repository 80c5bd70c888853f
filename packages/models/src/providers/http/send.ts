import { buildConnector, Client, type Dispatcher } from "undici";
import { unavailable, unknown, type CallEnded } from "./call-ended.ts";
import { startRealTimer, type StartTimer } from "./timer.ts";

/** The limits of every call of an adapter; each has a default. */
export interface CallLimits {
  /** The whole call, polls and downloads included, in milliseconds. Default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** The longest silence once the answer has begun, in milliseconds. Default 30,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** For DNS, TCP and TLS, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** The largest answer that is read, in bytes. Default 128 MiB: a picture of 4K in base64 and more. */
  readonly maxAnswerBytes?: number | undefined;
  /** Default: setTimeout. */
  readonly startTimer?: StartTimer | undefined;
}

export interface HttpOptions extends CallLimits {
  /** Where the provider is; its origin is one that gets the credentials. */
  readonly baseUrl: string;
  /** Headers that hold the key, in lower case. Sent to the provider's own hosts alone. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Domains of the provider besides `baseUrl`, such as `bfl.ai`: HTTPS only, with all their subdomains. */
  readonly domains?: readonly string[];
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT";
  /** A path under `baseUrl` without a slash before it, or a whole URL that the provider gave. */
  readonly url: string;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /**
   * `to-make`: the order for an image; if it surely did not leave, the outcome is unavailable.
   * `about-call`: a question about a call that goes on whatever becomes of the question; every
   * failure leaves the call unknown, to be resumed.
   */
  readonly asks: "to-make" | "about-call";
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request to the provider. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/**
 * The way of an adapter to its vendor. Redirects are not followed, answers are not decompressed, and
 * nothing is sent to a host that is not the provider's: its key would go there.
 *
 * Every exchange has a connection of its own. One that is kept may be closed by the other side just
 * as it is used again, and then nobody can tell whether the order for an image went through.
 *
 * The function throws CallEnded: `unavailable` when surely nothing was sent, `unknown` when the
 * answer was lost on the way, too slow, too large or not proper HTTP.
 */
export function createSend(options: HttpOptions): Send {
  const { credentials, domains = [] } = options;
  const { connectTimeoutMs = 10_000, idleTimeoutMs = 30_000 } = options;
  const { maxAnswerBytes = 128 * 1024 * 1024, startTimer = startRealTimer } = options;
  const base = new URL(options.baseUrl.endsWith("/") ? options.baseUrl : `${options.baseUrl}/`);
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });

  return async function send(request) {
    const { asks, signal } = request;
    const url = resolve(request.url);
    const givenUp = "given up before the answer was there";
    if (signal.aborted) throw asks === "to-make" ? unavailable(givenUp) : unknown(givenUp);
    let sent = false;
    const stop = new AbortController();
    const end = (reason: string): void => stop.abort(new Ended(reason));
    // An order may be answered when its image is made; a question is answered at once.
    const cancelTimer =
      asks === "about-call"
        ? startTimer(idleTimeoutMs, () => end("no answer to a question"))
        : () => undefined;
    const onAbort = (): void => end(givenUp);
    signal.addEventListener("abort", onAbort);
    const client = new Client(url.origin, {
      connect(target, done) {
        connect(target, (...result) => {
          // From here on a byte of the request may be on its way.
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
        body: await readBody(response, end),
      };
    } catch (error) {
      throw toCallEnded(error, asks === "to-make" && !sent);
    } finally {
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
      await client.destroy();
    }
  };

  function resolve(text: string): URL {
    const url = URL.canParse(text, base.href) ? new URL(text, base.href) : null;
    if (url === null || !isOwn(url)) {
      // After the order: what was ordered may be made, wherever it is now to be had.
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
    end: (reason: string) => void,
  ): Promise<Buffer> {
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") throw new Ended("an encoded answer");
    if (Number(headers["content-length"]) > maxAnswerBytes) throw new Ended("too large an answer");
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const wait = (): (() => void) =>
      startTimer(idleTimeoutMs, () => end("silence in the middle of the answer"));
    let cancelIdle = wait();
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        cancelIdle();
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxAnswerBytes) throw new Ended("too large an answer");
        chunks.push(chunk);
        cancelIdle = wait();
      }
    } finally {
      cancelIdle();
    }
    return Buffer.concat(chunks);
  }
}

/** Why this side ended an exchange. */
class Ended extends Error {
  override readonly name = "Ended";
}

function toCallEnded(error: unknown, nothingSent: boolean): CallEnded {
  // Only codes and words of our own: an error's text may hold an address or a header.
  const why = error instanceof Ended ? error.message : `connection failed: ${codeOf(error)}`;
  return nothingSent ? unavailable(why) : unknown(why);
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
