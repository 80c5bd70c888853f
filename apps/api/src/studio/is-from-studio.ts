import type { Request } from "express";

/**
 * Whether a page of Studio sent the request. Pages of other origins cannot send `X-Atelier-Studio`
 * without a preflight, which never grants this header. Browsers report the sender in
 * `Sec-Fetch-Site` (W3C Fetch Metadata), but only over HTTPS or to localhost: without it, the first
 * header decides.
 */
export function isFromStudio(request: Request): boolean {
  const site = request.get("Sec-Fetch-Site") ?? "same-origin";
  return request.get("X-Atelier-Studio") === "1" && site === "same-origin";
}
