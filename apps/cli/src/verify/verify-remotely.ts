import { InvalidRequestError, verifyImage } from "@atelier/client";
import type { Verifier } from "./verifier.ts";

/**
 * Creates a verifier that sends files to `POST /verify` of a service, which needs no key.
 *
 * @param baseUrl address of the service, such as `https://images.example.com`.
 */
export function createRemoteVerifier(baseUrl: string): Verifier {
  return {
    verify: (bytes) => verifyImage({ baseUrl }, bytes).catch(nullIfInvalid),
    close: async () => undefined,
  };
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof InvalidRequestError && error.code === "image_invalid") return null;
  throw error;
}
