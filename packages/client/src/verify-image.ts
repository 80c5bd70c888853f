import { readBaseUrl } from "./addresses.ts";
import type { CallOptions } from "./options.ts";
import { createTransport, readJson, type TransportOptions } from "./transport.ts";
import type { Verification } from "./types.ts";

export interface PublicServiceOptions extends TransportOptions {
  /** The address of the service, such as `http://localhost:3000`. Required; no key is sent. */
  readonly baseUrl: string;
}

/**
 * Asks a service for the origin of an image by `POST /verify`, which needs no key.
 *
 * @param image a PNG, JPEG, WebP, AVIF, GIF or SVG file, or only its SHA-256.
 * @throws InvalidRequestError `image_invalid` if the file cannot be read; RateLimitError when the
 *   limit of the client's address is still reached after the retries.
 *
 * @example
 * ```ts
 * const service = { baseUrl: "http://localhost:3000" };
 * const { verdict } = await verifyImage(service, await readFile("fox.webp"));
 * console.log(verdict);
 * ```
 */
export async function verifyImage(
  service: PublicServiceOptions,
  image: Uint8Array | { readonly sha256: string },
  { signal }: CallOptions = {},
): Promise<Verification> {
  const isFile = image instanceof Uint8Array;
  const request = {
    method: "POST",
    url: `${readBaseUrl(service.baseUrl)}/verify`,
    headers: { "Content-Type": isFile ? "application/octet-stream" : "application/json" },
    body: isFile ? new Uint8Array(image) : JSON.stringify(image),
    signal,
  } as const;
  return createTransport(service)(request, (response) => readJson<Verification>(response));
}
