import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { isTimeout } from "./decode-image.ts";
import { InvalidImageError } from "./image-format.ts";
import { createMarker } from "./marker.ts";
import { releaseMemory } from "./release-memory.ts";
import type { MarkedImage, MarkerOptions, MarkRequest } from "./marker.ts";
import { TimeStampError } from "./time-stamp.ts";

/** A thread's response. Errors lose their class in transfer, so some are sent as data. */
export type ThreadAnswer =
  | { readonly images: readonly MarkedImage[] }
  | {
      readonly failure: "invalid-image" | "no-time-stamp" | "busy";
      readonly message: string;
      readonly cause: unknown;
    };

const options: MarkerOptions = workerData;
const marker = createMarker(options);
// The error is reported to the caller of a task. Unhandled, it would kill every thread in turn.
marker.catch(() => undefined);

/** Waits until the thread is ready. */
export async function start(): Promise<void> {
  await marker;
}

export async function mark(request: MarkRequest): Promise<ThreadAnswer> {
  const ready = await marker;
  try {
    return toTransferred(await ready.mark(request));
  } catch (error) {
    if (error instanceof InvalidImageError) return failed("invalid-image", error);
    if (error instanceof TimeStampError) return failed("no-time-stamp", error);
    if (isTimeout(error)) return failed("busy", error);
    throw error;
  } finally {
    for (const { bytes } of [request.image, ...request.ingredients]) releaseMemory(bytes);
  }
}

function failed(
  failure: Extract<ThreadAnswer, { failure: unknown }>["failure"],
  { message, cause }: Error,
): ThreadAnswer {
  return { failure, message, cause };
}

/** Images whose bytes are transferred out of this thread instead of copied. */
function toTransferred(marked: readonly MarkedImage[]): ThreadAnswer {
  const images = marked.map((image) => ({ ...image, bytes: ownBytes(image.bytes) }));
  // The library's format: the value, and the parts to transfer.
  const answer = {
    [transferableSymbol]: images.map(({ bytes }) => bytes.buffer),
    [valueSymbol]: { images },
  };
  return move(answer) as unknown as ThreadAnswer;
}

/** Copies bytes into a buffer of their own if needed, because a transfer moves the whole buffer. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
