import { serveRequests } from "@atelier/kit/limited-process";
import { GuardedRequestError, type RefusalReason } from "./errors.ts";
import { cleanImage, type CleanImage, type ImageLimits } from "./image.ts";

/** A request from the parent process. */
export interface DecodeRequest {
  readonly bytes: Uint8Array;
  readonly limits: ImageLimits;
}

export type DecodeAnswer =
  | { readonly image: CleanImage }
  | { readonly refused: { readonly reason: RefusalReason; readonly message: string } };

serveRequests(async ({ bytes, limits }: DecodeRequest): Promise<DecodeAnswer> => {
  try {
    return { image: await cleanImage(bytes, limits) };
  } catch (error) {
    if (!(error instanceof GuardedRequestError)) throw error;
    return { refused: { reason: error.reason, message: error.message } };
  }
});
