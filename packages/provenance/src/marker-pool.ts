import { unlessAborted } from "@atelier/kit";
import { starved } from "@atelier/kit/limited-process";
import { randomBytes } from "node:crypto";
import { Piscina } from "piscina";
import { InvalidImageError } from "./image-format.ts";
import type { MarkedImage, Marker, MarkerOptions, MarkRequest } from "./marker.ts";
import type { ThreadAnswer } from "./marker-thread.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createTimeStampers, TimeStampError } from "./time-stamp.ts";

const errors = { "invalid-image": InvalidImageError, "no-time-stamp": TimeStampError } as const;

interface MarkerPoolOptions extends MarkerOptions {
  /** Number of images marked concurrently; others are queued. */
  readonly threads: number;
  /**
   * Called when an idle thread dies, when a thread cannot be replaced, or when the time-stamp
   * authority fails the check at start.
   */
  readonly onError: (error: unknown) => void;
}

/**
 * A marker that runs in worker threads. An aborted signal rejects the call at once; the thread
 * still finishes an image in progress, and the result is discarded.
 */
export interface MarkerPool extends Marker {
  /** Finishes images in progress, rejects queued ones, and stops the threads. */
  close(): Promise<void>;
}

/**
 * Starts threads that mark images. Each thread first marks a tiny image, to verify that key, chain
 * and trust anchors match. Idle threads do not keep the process alive. When a thread dies, its
 * image fails and the thread is replaced.
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
    // Between images the library would block the thread, so that it could not free memory.
    atomics: "disabled",
    // A task that a busy thread cannot accept would otherwise move to the end of the queue.
    stricterFIFO: true,
    // Marking allocates almost only outside of the heap; a larger heap would be unused memory.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  pool.on("error", onError);
  // New threads are idle, and each receives one task. All are awaited, also after a failure: a thread
  // that is terminated in native code can crash the process.
  const started = await Promise.allSettled(
    Array.from({ length: threads }, () => pool.run(undefined, { name: "start" })),
  );
  const failed = started.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await pool.destroy();
    throw failed.reason;
  }

  // Report wrong addresses at once, but start anyway: authorities may be temporarily unavailable.
  for (const url of options.timeStampUrls ?? []) {
    createTimeStampers([url])(randomBytes(32)).catch(onError);
  }

  async function mark(request: MarkRequest, signal?: AbortSignal): Promise<readonly MarkedImage[]> {
    signal?.throwIfAborted();
    const image = { bytes: new Uint8Array(request.image.bytes) };
    const ingredients = request.ingredients.map(({ bytes, ...statement }) => ({
      bytes: new Uint8Array(bytes),
      ...statement,
    }));
    // The signal is not passed on: the library would terminate a running thread in native code.
    const marking = pool.run(
      { ...request, image, ingredients },
      { transferList: [image, ...ingredients].map(({ bytes }) => bytes.buffer) },
    );
    const answer = await unlessAborted(marking, signal);
    if ("images" in answer) return answer.images;
    if (answer.failure === "busy") throw starved("mark");
    throw new errors[answer.failure](answer.message, { cause: answer.cause });
  }

  return { mark, certificateExpiresAt: expiresAt, close: () => pool.close({ force: true }) };
}
