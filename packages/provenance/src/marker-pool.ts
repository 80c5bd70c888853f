import { randomBytes } from "node:crypto";
import { Piscina } from "piscina";
import { InvalidImageError } from "./image-format.ts";
import type { MarkedImage, Marker, MarkerOptions, MarkRequest } from "./marker.ts";
import type { ThreadAnswer } from "./marker-thread.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createTimeStamper, TimeStampError } from "./time-stamp.ts";

const errors = { "invalid-image": InvalidImageError, "no-time-stamp": TimeStampError } as const;

export interface MarkerPoolOptions extends MarkerOptions {
  /** Images marked at the same time; the others wait. */
  readonly threads: number;
  /**
   * A thread died while it had nothing to do, or could not be replaced; or the authority for time
   * stamps gave none when it was asked at the start.
   */
  readonly onError: (error: unknown) => void;
}

/**
 * A marker that works beside the thread that calls it. A signal that is aborted ends the waiting for
 * an image at once; one that is being marked is finished for nobody.
 */
export interface MarkerPool extends Marker {
  /** Finishes what is being marked, drops what waits, and ends the threads. */
  close(): Promise<void>;
}

/**
 * Starts threads that mark images, each of which proves on a tiny one that key, chain and trust
 * anchors fit. They do not keep the process alive while they have nothing to do. One that dies
 * fails the image that it had, and is replaced.
 *
 * @throws Error that tells the operator what is wrong with certificate or key.
 */
export async function createMarkerPool({
  threads,
  onError,
  ...options
}: MarkerPoolOptions): Promise<MarkerPool> {
  const { expiresAt } = readSigningCredential({ ...options, now: new Date() });
  const pool = new Piscina<MarkRequest | undefined, ThreadAnswer>({
    filename: new URL("marker-thread.ts", import.meta.url).href,
    name: "mark",
    minThreads: threads,
    maxThreads: threads,
    workerData: options,
    // Between images the library would block a thread, which then could not give memory back.
    atomics: "disabled",
    // What a busy thread cannot take would go to the end of the queue.
    stricterFIFO: true,
    // Nearly all that marking needs is outside of the heap: more would lie idle in each thread.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  pool.on("error", onError);
  try {
    // New threads are idle, and each gets one.
    await Promise.all(
      Array.from({ length: threads }, () => pool.run(undefined, { name: "start" })),
    );
  } catch (error) {
    await pool.destroy();
    throw error;
  }

  const { timeStampUrl } = options;
  // A wrong address is told at once. It is no reason not to start: an authority may be away.
  if (timeStampUrl !== undefined) {
    createTimeStamper(timeStampUrl)(randomBytes(32)).catch(onError);
  }

  async function mark(request: MarkRequest, signal?: AbortSignal): Promise<readonly MarkedImage[]> {
    signal?.throwIfAborted();
    const { model, createdAt } = request;
    const image = { bytes: new Uint8Array(request.image.bytes) };
    const ingredients = request.ingredients.map(({ bytes, title }) => ({
      bytes: new Uint8Array(bytes),
      title,
    }));
    // Without the signal: the library would stop a running thread in the middle of native code.
    const marking = pool.run(
      { image, model, ingredients, createdAt },
      { transferList: [image, ...ingredients].map(({ bytes }) => bytes.buffer) },
    );
    const answer = await unlessAborted(marking, signal);
    if ("images" in answer) return answer.images;
    throw new errors[answer.failure](answer.message, { cause: answer.cause });
  }

  return { mark, certificateExpiresAt: expiresAt, close: () => pool.close({ force: true }) };
}

/** Waits for work, or for a signal: what comes of the work after that is nobody's. */
function unlessAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal?.removeEventListener("abort", onAbort));
}
