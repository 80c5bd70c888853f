import { serveRequests } from "@atelier/kit/limited-process";
import { lowerPriority } from "@atelier/kit/lower-priority";
import { InvalidImageError } from "./image-format.ts";
import { inspectImage, type ImageTraces, type InspectOptions } from "./inspect-image.ts";

/** A request from the parent process. It contains no secrets: the decoders read untrusted data. */
export interface InspectRequest {
  readonly bytes: Uint8Array;
  readonly options: InspectOptions;
}

export type InspectAnswer = { readonly traces: ImageTraces } | { readonly invalid: string };

// Public verification yields to the requests of accounts.
lowerPriority();

serveRequests(async ({ bytes, options }: InspectRequest): Promise<InspectAnswer> => {
  try {
    return { traces: await inspectImage(bytes, options) };
  } catch (error) {
    if (!(error instanceof InvalidImageError)) throw error;
    return { invalid: error.message };
  }
});
