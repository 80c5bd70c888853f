import { callbackify } from "node:util";
import { createConnector, noConnection, type TestingOptions } from "./connect.ts";
import { GuardedRequestError } from "./errors.ts";
import { hostOf } from "./public-url.ts";
import { parseReceiverUrl } from "./receiver-url.ts";
import { classify } from "./request.ts";

/** A request as it is sent. */
interface GuardedCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface CallResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The response up to the limit. */
  readonly body: Buffer;
}

/** Sends requests to URLs that others have chosen, to public addresses or to hosts that the operator allows. */
export interface GuardedCaller {
  /**
   * Sends a request to an untrusted URL and reads up to the limit of the response. Follows no redirect.
   *
   * @throws GuardedRequestError for every failure without a response; its message contains neither the
   *   URL nor an address.
   * @throws the signal's reason when the caller aborts.
   */
  send(url: string, call: GuardedCall, signal: AbortSignal): Promise<CallResult>;
}

export interface CallerOptions {
  /** Timeout from the first DNS lookup to the last byte, in milliseconds. Then the request has failed. */
  readonly totalTimeoutMs: number;
  /** Maximum size of a response that is read, in bytes; the rest is dropped with the connection. */
  readonly maxResponseBytes: number;
  /**
   * Hosts that the operator allows, as `host:port`, also with private addresses and plain HTTP. It wins
   * over all address rules, so clients reach whatever listens there. Empty allows public HTTPS only.
   */
  readonly privateHosts: readonly string[];
  /** For tests only; must not be reachable from configuration. */
  readonly testing?: TestingOptions;
}

const connectTimeoutMs = 5_000;
const maxHeaderBytes = 16 * 1024;

/** Creates the sender of requests to URLs that others have chosen. */
export function createGuardedCaller(options: CallerOptions): GuardedCaller {
  const { totalTimeoutMs, maxResponseBytes, privateHosts } = options;
  const connect = createConnector({
    connectTimeoutMs,
    refusedNetworks: [],
    testing: options.testing ?? {},
  });

  return {
    async send(target, { method, headers, body }, signal) {
      const { url, isPrivate } = parseReceiverUrl(target, privateHosts);
      // The time of the request begins once it is loaded.
      const { Client } = await import("undici");
      const stop = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
      const client = new Client(url.origin, {
        connect: isPrivate
          ? { timeout: connectTimeoutMs }
          : (_target, done) =>
              callbackify(() => connect(hostOf(url), stop))((error, socket) =>
                error ? done(error, null) : done(null, socket),
              ),
        allowH2: false,
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: totalTimeoutMs,
        bodyTimeout: totalTimeoutMs,
      });
      try {
        const response = await client.request({
          method,
          path: url.pathname + url.search,
          headers,
          ...(body !== undefined && { body }),
          reset: true,
          signal: stop,
        });
        const read = await readUpTo(response.body as AsyncIterable<Buffer>, maxResponseBytes);
        return { status: response.statusCode, headers: response.headers, body: read };
      } catch (error) {
        signal.throwIfAborted();
        throw toGuardedError(error, totalTimeoutMs);
      } finally {
        await client.destroy();
      }
    },
  };
}

/** Reads a body, so that the receiver has ended its response, but not more than the limit. */
async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    const rest = maxBytes - sizeBytes;
    sizeBytes += chunk.byteLength;
    chunks.push(chunk.subarray(0, rest));
    if (sizeBytes > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Describes a failure for the owner of the URL, without its address. */
function toGuardedError(error: unknown, totalTimeoutMs: number): unknown {
  const known = error instanceof GuardedRequestError ? error : classify(error);
  if (known instanceof GuardedRequestError) {
    const { reason, retryable } = known;
    const plain = {
      timeout: `no answer within ${totalTimeoutMs / 1_000} s`,
      connection_lost: "the connection was closed before the response",
      bad_response: "the response is not valid HTTP",
    }[reason as string];
    return plain === undefined ? known : new GuardedRequestError(reason, plain, { retryable });
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : noConnection(error, true);
}
