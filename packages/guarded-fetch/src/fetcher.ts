import type { ReceivedMediaType } from "@atelier/kit";
import type { ProcessLimits } from "@atelier/kit/limited-process";
import { createConnector, type TestingOptions } from "./connect.ts";
import { GuardedRequestError, toReferenceError } from "./errors.ts";
import { createDecoder, type DecodedImage } from "./decoder.ts";
import { readImageHeader } from "./image-header.ts";
import { guardedRequest } from "./request.ts";

export interface GuardedFetcherOptions {
  /** Maximum file size in bytes. A larger file is refused and not read to its end. */
  readonly maxBytes: number;
  /** Maximum number of pixels (width × height) to decode. A larger image is refused by its header. */
  readonly maxPixels: number;
  /** The same for a JPEG. Default: `maxPixels`. */
  readonly maxJpegPixels?: number;
  /**
   * Timeout from the first DNS lookup to the last byte, including redirects, in milliseconds. It ends a
   * request also when the shorter timeouts below have not passed.
   */
  readonly totalTimeoutMs: number;
  /** Timeout without data from the server, in milliseconds. Default 5,000. The failure is retryable. */
  readonly idleTimeoutMs?: number;
  /**
   * Timeout of TCP and TLS for one address, in milliseconds. Default 5,000. The next address of the name
   * is tried afterwards, up to four.
   */
  readonly connectTimeoutMs?: number;
  /**
   * Limits of the process that decodes and encodes images. Default: 15,000 ms of CPU time, of which the
   * largest take 6,000, and 1 GB of memory. An image that exceeds them is refused.
   */
  readonly decodeLimits?: Partial<ProcessLimits>;
  /** Maximum number of redirects. Default 3. Each target is checked like the first URL. */
  readonly maxRedirects?: number;
  /**
   * CIDR blocks that are refused although their addresses are public: a NAT64 prefix of the
   * operator's own (RFC 6052), or public addresses of hosts that trust their network. Default none.
   */
  readonly refusedNetworks?: readonly string[];
  /** For tests only; must not be reachable from configuration. */
  readonly testing?: TestingOptions;
}

export interface FetchedImage extends DecodedImage {
  /**
   * The unmodified file. Untrusted; use it only to read its provenance (a C2PA manifest does not
   * survive the re-encoding).
   */
  readonly original: { readonly bytes: Uint8Array; readonly mediaType: ReceivedMediaType };
}

/** Runs a task in its turn. */
export type InTurn = <Result>(task: () => Promise<Result>) => Promise<Result>;

export interface GuardedFetcher {
  /**
   * Fetches an image from an untrusted HTTPS URL, decodes it and re-encodes it.
   *
   * @param inTurn starts the decoding of a fetched image; at once by default.
   * @param onFetched receives the file before it is decoded, which a busy machine may not do now.
   * @throws AppError `reference_unreachable` or `reference_invalid`, with
   *   `details: { reason }`; `retryable` for timeouts, 5xx and lost connections.
   * @throws LimitError when the machine is too busy to decode it.
   * @throws the signal's reason when the caller aborts.
   */
  fetchImage(
    url: string,
    signal: AbortSignal,
    inTurn?: InTurn,
    onFetched?: (original: Uint8Array) => Promise<void>,
  ): Promise<FetchedImage>;
  /**
   * Decodes and re-encodes the `original` that `fetchImage` returned earlier.
   *
   * @throws AppError `reference_invalid`, with `details: { reason }`.
   * @throws LimitError when the machine is too busy to decode it.
   */
  readOriginal(bytes: Uint8Array): Promise<FetchedImage>;
  /**
   * Fetches an image from an untrusted HTTPS URL without decoding it: PNG, JPEG, WebP or AVIF by its
   * signature. For results of a provider, whose pixels must not change.
   *
   * @throws GuardedRequestError, whose message contains neither the URL nor an address.
   * @throws the signal's reason when the caller aborts.
   */
  fetchOriginal(url: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Aborts running requests and rejects new ones. */
  close(): Promise<void>;
}

/**
 * The memory is five times the need of 40 megapixels with alpha, and half of a worker's memory limit in
 * the manifests.
 */
const usualLimits: ProcessLimits = { cpuMs: 15_000, maxResidentBytes: 1_000_000_000 };

/** Creates the fetcher for all requests to untrusted URLs. */
export function createGuardedFetcher(options: GuardedFetcherOptions): GuardedFetcher {
  const { connectTimeoutMs = 5000, idleTimeoutMs = 5000 } = options;
  const { maxBytes, maxPixels, maxRedirects = 3, totalTimeoutMs } = options;
  const connect = createConnector({
    connectTimeoutMs,
    refusedNetworks: options.refusedNetworks ?? [],
    testing: options.testing ?? {},
  });
  const { maxJpegPixels = maxPixels } = options;
  const decoder = createDecoder({
    maxPixels,
    maxJpegPixels,
    ...usualLimits,
    ...options.decodeLimits,
  });
  const closed = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function fetchOriginal(url: string, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = await guardedRequest(url, {
      connect,
      maxBytes,
      maxRedirects,
      totalTimeoutMs,
      idleTimeoutMs,
      // Without AVIF, so that a server that can choose sends what is fastest to decode.
      accept: "image/png, image/jpeg, image/webp",
      signal,
    });
    readImageHeader(bytes);
    return bytes;
  }

  async function readOriginal(bytes: Uint8Array): Promise<FetchedImage> {
    const { mediaType } = readImageHeader(bytes);
    return { ...(await decoder.decode(bytes)), original: { bytes, mediaType } };
  }

  /** Runs work that `close` aborts and waits for. */
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
    fetchImage: (url, signal, inTurn = (task) => task(), onFetched = () => Promise.resolve()) =>
      withReferenceError(
        whileOpen(signal, async (stop) => {
          const original = await fetchOriginal(url, stop);
          await onFetched(original);
          return inTurn(() => readOriginal(original));
        }),
      ),
    readOriginal: (bytes) => withReferenceError(readOriginal(bytes)),
    close: async () => {
      closed.abort(new Error("The fetcher is closed"));
      await Promise.allSettled(running);
      decoder.close();
    },
  };
}

async function withReferenceError<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof GuardedRequestError ? toReferenceError(error) : error;
  }
}
