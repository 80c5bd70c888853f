import { createLimitedProcess, LimitError } from "@atelier/kit/limited-process";
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
   * @throws GuardedRequestError as `assertHeader` and `cleanImage`; `undecodable` when the process
   *   was killed or died. Not retryable.
   */
  decode(bytes: Uint8Array): Promise<DecodedImage>;
  /** Stops the process and rejects the current and queued images. */
  close(): void;
}

/** @param options.maxResidentBytes memory limit of the decoding process, in bytes. */
export function createDecoder(
  options: ImageLimits & { readonly maxResidentBytes: number },
): Decoder {
  const { maxResidentBytes, decodeTimeoutSeconds, maxPixels } = options;
  const child = createLimitedProcess<DecodeRequest, DecodeAnswer>({
    module: new URL("decode-child.ts", import.meta.url),
    timeoutMs: decodeTimeoutSeconds * 1_000,
    maxResidentBytes,
  });
  return {
    async decode(bytes) {
      // Check the header in this process, so that a bomb neither starts a process nor takes a place
      // in the queue.
      assertHeader(bytes, maxPixels);
      const limits = { maxPixels, decodeTimeoutSeconds };
      const { answer, cpuMs, peakBytes } = await child
        .run({ bytes, limits })
        .catch((cause: unknown) => {
          if (!(cause instanceof LimitError)) throw cause;
          // A busy machine may be the reason, unlike for too much memory.
          const isLoadDependent = cause.reason !== "memory";
          throw new GuardedRequestError("undecodable", cause.message, { isLoadDependent });
        });
      if ("image" in answer) return { ...answer.image, cpuMs, peakBytes };
      throw new GuardedRequestError(answer.refused.reason, answer.refused.message);
    },
    close: () => child.close(),
  };
}
