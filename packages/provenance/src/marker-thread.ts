import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { InvalidImageError } from "./image-format.ts";
import { createMarker } from "./marker.ts";
import { releaseMemory } from "./release-memory.ts";
import type { MarkedImage, MarkerOptions, MarkRequest } from "./marker.ts";
import { TimeStampError } from "./time-stamp.ts";

/** What a thread answers. Errors lose their class on the way, and some are told by it. */
export type ThreadAnswer =
  | { readonly images: readonly MarkedImage[] }
  | {
      readonly failure: "invalid-image" | "no-time-stamp";
      readonly message: string;
      readonly cause: unknown;
    };

const options: MarkerOptions = workerData;
const marker = createMarker(options);
// Whoever gives the thread work is told. Here it would end the thread, and the next, and the next.
marker.catch(() => undefined);

/** Waits until the thread can mark. */
export async function start(): Promise<void> {
  await marker;
}

export async function mark(request: MarkRequest): Promise<ThreadAnswer> {
  const ready = await marker;
  try {
    return given(await ready.mark(request));
  } catch (error) {
    if (error instanceof InvalidImageError) return failed("invalid-image", error);
    if (error instanceof TimeStampError) return failed("no-time-stamp", error);
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

/** Images whose bytes leave this thread without being copied. */
function given(marked: readonly MarkedImage[]): ThreadAnswer {
  const images = marked.map((image) => ({ ...image, bytes: ownBytes(image.bytes) }));
  // As the library has it: what is sent, and what of it is not copied.
  const answer = {
    [transferableSymbol]: images.map(({ bytes }) => bytes.buffer),
    [valueSymbol]: { images },
  };
  return move(answer) as unknown as ThreadAnswer;
}

/** The same bytes in memory that holds nothing else: a transfer takes all of it. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
