import type { CatalogueEntry } from "@atelier/models";
import type { Response } from "express";

/**
 * Announces the end of the model of a request: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 *
 * @param entry null for an unknown model.
 */
export function announceRetirement(
  response: Response,
  entry: Pick<CatalogueEntry, "deprecated_at" | "retires_at"> | null,
): void {
  if (entry === null) return;
  const { deprecated_at: deprecated, retires_at: retires } = entry;
  if (deprecated !== null) {
    response.set("Deprecation", `@${Math.floor(Date.parse(deprecated) / 1_000)}`);
  }
  if (retires !== null) response.set("Sunset", new Date(retires).toUTCString());
}
