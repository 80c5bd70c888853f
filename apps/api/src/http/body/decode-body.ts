import { AppError } from "@atelier/schemas";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";

/** Decoders by content coding. A window of 8 MB is the largest of zstd in HTTP (RFC 9659). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
};

/** The largest ratio of a body to its compressed form, beyond the first bytes. */
const maxRatio = 100;
const freeBytes = 65_536;

/**
 * Whether a body is compressed.
 *
 * @throws AppError `unsupported_media_type` for an unknown encoding, or several.
 */
export function isCompressed({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const encoding = encodingOf(headers);
  if (encoding === "identity") return false;
  if (Object.hasOwn(decoders, encoding)) return true;
  throw new AppError(
    "unsupported_media_type",
    `Content-Encoding "${encoding.slice(0, 50)}" is not possible. Send the body with one of gzip, deflate, br and zstd, or not compressed.`,
  );
}

function encodingOf(headers: IncomingMessage["headers"]): string {
  return (headers["content-encoding"] ?? "").trim().toLowerCase() || "identity";
}

/**
 * Reads the bytes of a body as they arrive, decompressed. Nothing more is read when the caller stops.
 *
 * @throws AppError `unsupported_media_type`; `invalid_request` for a body that is not compressed as it says;
 *   `request_too_large` for one of more than 100 times its compressed size. The error of a connection that breaks.
 */
export async function* decodeBody(request: IncomingMessage): AsyncGenerator<Buffer, void, void> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  if (!isCompressed(request)) return yield* chunks;
  const encoding = encodingOf(request.headers);
  const decoder = decoders[encoding]?.() ?? createGunzip();
  const stop = new AbortController();
  const state: { received: number; broken: Error | null } = { received: 0, broken: null };
  void feed(chunks, decoder, state, stop.signal);
  let decoded = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      decoded += chunk.byteLength;
      if (decoded > Math.max(freeBytes, maxRatio * state.received)) throw tooDense();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw state.broken ?? malformed(encoding, error);
  } finally {
    stop.abort();
    decoder.destroy();
  }
}

/** Writes the bytes of a request to a decoder, as fast as it takes them. */
async function feed(
  chunks: AsyncIterable<Buffer>,
  decoder: Transform,
  state: { received: number; broken: Error | null },
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (signal.aborted) return;
      state.received += chunk.byteLength;
      if (!decoder.write(chunk)) await once(decoder, "drain", { signal });
    }
    decoder.end();
  } catch (error) {
    // The decoder reports its own errors, and after the abort nothing is read.
    if (signal.aborted || decoder.errored !== null) return;
    state.broken = error as Error;
    decoder.destroy(state.broken);
  }
}

function tooDense(): AppError {
  return new AppError(
    "request_too_large",
    `The body is more than ${maxRatio} times as large as its compressed form. Send it with less compression, or not compressed.`,
  );
}

function malformed(encoding: string, cause: unknown): AppError {
  const message = `not complete ${encoding} data`;
  return new AppError("invalid_request", `The body is ${message}. Correct it and send it again.`, {
    details: [{ path: "", code: "invalid_encoding", message }],
    cause,
  });
}
