import { createLimitedProcess, LimitError, type ProcessLimits } from "@atelier/kit/limited-process";
import type { DecodeAnswer, DecodeRequest } from "./decode-child.ts";
import { GuardedRequestError } from "./errors.ts";
import type { CleanImage, ImageLimits } from "./image.ts";
import { assertHeader } from "./image-header.ts";

/** A decoded image and the resources used. */
export interface DecodedImage extends CleanImage {
  readonly cpuMs: number;
  /** Peak memory of the decoding process, in bytes. */
  readonly peakBytes: number;
}

/** Decodes untrusted images one after another in a limited process. */
export interface Decoder {
  /**
   * @throws GuardedRequestError as `assertHeader` and `cleanImage`; `undecodable` when the image takes
   *   too much CPU time or memory, or the decoder crashes. Not retryable.
   * @throws LimitError when the machine is too busy, or the process was ended.
   */
  decode(bytes: Uint8Array): Promise<DecodedImage>;
  /** Stops the process and rejects the current and queued images. */
  close(): void;
}

export type DecoderOptions = ImageLimits & ProcessLimits;

/** Prepares a decoder; its process starts with the first image and ends when it is idle. */
export function createDecoder({
  maxPixels,
  maxJpegPixels = maxPixels,
  ...limits
}: DecoderOptions): Decoder {
  const child = createLimitedProcess<DecodeRequest, DecodeAnswer>({
    work: "decode",
    module: new URL("decode-child.ts", import.meta.url),
    ...limits,
  });
  return {
    async decode(bytes) {
      // Check the header in this process, so that a bomb neither starts a process nor takes a place
      // in the queue.
      assertHeader(bytes, maxPixels, maxJpegPixels);
      const { answer, cpuMs, peakBytes } = await child
        .run({ bytes, limits: { maxPixels, maxJpegPixels } })
        .catch((cause: unknown) => {
          if (!(cause instanceof LimitError) || !cause.isCausedByInput) throw cause;
          throw new GuardedRequestError("undecodable", cause.message);
        });
      if ("image" in answer) return { ...answer.image, cpuMs, peakBytes };
      throw new GuardedRequestError(answer.refused.reason, answer.refused.message);
    },
    close: () => child.close(),
  };
}
