import { InvalidRequestError, verifyImage } from "@atelier/client";
import { InvalidImageError } from "@atelier/provenance";
import type { Verifier } from "./verifier.ts";

/**
 * Creates a verifier that sends files to `POST /verify` of a service, which needs no key.
 *
 * @param baseUrl address of the service, such as `https://images.example.com`.
 */
export function createRemoteVerifier(baseUrl: string): Verifier {
  return {
    verify: (bytes) => verifyImage({ baseUrl }, bytes).catch(translateInvalidImage),
    close: async () => undefined,
  };
}

/** Throws what a local verifier throws for a file that is not an image. */
function translateInvalidImage(error: unknown): never {
  if (error instanceof InvalidRequestError && error.code === "image_invalid") {
    throw new InvalidImageError(error.message);
  }
  throw error;
}
