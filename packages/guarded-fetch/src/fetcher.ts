import { createConnector, type TestingOptions } from "./connect.ts";
import { GuardedRequestError, toReferenceError } from "./errors.ts";
import {
  cleanImage,
  detectMediaType,
  type CleanImage,
  type ImageLimits,
  type ImageMediaType,
} from "./image.ts";
import { guardedRequest } from "./request.ts";

export interface GuardedFetcherOptions {
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** The most pixels (width × height) that are decoded. */
  readonly maxPixels: number;
  /** From the first look-up to the last byte, all redirects included, in milliseconds. */
  readonly totalTimeoutMs: number;
  /** The longest silence of a server, in milliseconds. Default 5,000. */
  readonly idleTimeoutMs?: number;
  /** How long one address may take for TCP and TLS, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The longest that decoding and encoding may take, in whole seconds. Default 10. */
  readonly decodeTimeoutSeconds?: number;
  /** Default 3. */
  readonly maxRedirects?: number;
  /**
   * CIDR blocks that are refused although their addresses are public: a NAT64
   * prefix of the operator's own (RFC 6052), or public addresses of hosts that
   * trust their neighbours. Default none.
   */
  readonly refusedNetworks?: readonly string[];
  /** For tests alone; configuration must not lead here. */
  readonly testing?: TestingOptions;
}

export interface FetchedImage extends CleanImage {
  /**
   * The file as it was fetched. Untrusted: only for reading its provenance
   * (a C2PA manifest does not survive the re-encoding).
   */
  readonly original: { readonly bytes: Uint8Array; readonly mediaType: ImageMediaType };
}

export interface GuardedFetcher {
  /**
   * Fetches an image from an untrusted HTTPS URL, decodes it and encodes it anew.
   *
   * @throws AppError `reference_unreachable` or `reference_invalid`, with
   *   `details: { reason }`; `retryable` for time-outs, 5xx and lost connections.
   * @throws the signal's reason when the caller aborts.
   */
  fetchImage(url: string, signal: AbortSignal): Promise<FetchedImage>;
  /**
   * The same image again, from the file that `fetchImage` gave as its original.
   *
   * @throws AppError `reference_invalid`, with `details: { reason }`.
   */
  readOriginal(bytes: Uint8Array): Promise<FetchedImage>;
  /**
   * Fetches an image from an untrusted HTTPS URL as it is: PNG, JPEG or WebP by its first bytes, and
   * not decoded. For results of a provider, whose pixels must not change.
   *
   * @throws GuardedRequestError, whose message names neither the URL nor an address.
   * @throws the signal's reason when the caller aborts.
   */
  fetchOriginal(url: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the requests that are under way and takes no more. */
  close(): Promise<void>;
}

/** The only way out of the service to a URL that somebody else chose. */
export function createGuardedFetcher(options: GuardedFetcherOptions): GuardedFetcher {
  const { connectTimeoutMs = 5000, decodeTimeoutSeconds = 10, idleTimeoutMs = 5000 } = options;
  const { maxBytes, maxPixels, maxRedirects = 3, totalTimeoutMs } = options;
  const connect = createConnector({
    connectTimeoutMs,
    refusedNetworks: options.refusedNetworks ?? [],
    testing: options.testing ?? {},
  });
  const limits: ImageLimits = { decodeTimeoutSeconds, maxPixels };
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function fetchOriginal(url: string, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = await guardedRequest(url, {
      connect,
      maxBytes,
      maxRedirects,
      totalTimeoutMs,
      idleTimeoutMs,
      accept: "image/png, image/jpeg, image/webp",
      signal,
    });
    detectMediaType(bytes);
    return bytes;
  }

  async function readOriginal(bytes: Uint8Array): Promise<FetchedImage> {
    const mediaType = detectMediaType(bytes);
    const image = await cleanImage(bytes, mediaType, limits);
    return { ...image, original: { bytes, mediaType } };
  }

  /** Until it is closed; whatever is under way then is waited for. */
  async function whileOpen<Result>(
    signal: AbortSignal,
    begin: (stop: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const work = begin(AbortSignal.any([signal, closed.signal]));
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    fetchOriginal: (url, signal) => whileOpen(signal, (stop) => fetchOriginal(url, stop)),
    fetchImage: (url, signal) =>
      orReferenceError(
        whileOpen(signal, async (stop) => readOriginal(await fetchOriginal(url, stop))),
      ),
    readOriginal: (bytes) => orReferenceError(readOriginal(bytes)),
    close: async () => {
      closed.abort(new Error("The fetcher is closed"));
      await Promise.allSettled(running);
    },
  };
}

async function orReferenceError<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof GuardedRequestError ? toReferenceError(error) : error;
  }
}
