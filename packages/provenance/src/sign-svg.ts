import { sanitizeSvg } from "@atelier/svg";
import type { Creation } from "./manifest.ts";
import type { Ingredient, SignFiles } from "./sign-files.ts";

/**
 * Sanitises an SVG and adds a C2PA manifest to it (C2PA 2.4, embedding in SVG: a `c2pa:manifest` in
 * `metadata`), then verifies the finished file. It has no watermark, because it has no pixels.
 *
 * @throws SvgError for a file that cannot be sanitised.
 * @throws TimeStampError when an authority is configured and returns no usable time stamp.
 */
export async function signSvg(
  svg: string,
  creation: Creation,
  ingredients: readonly Ingredient[],
  signFiles: SignFiles,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  // Signed last: any later change would break the signature.
  const files = [{ format: "svg" as const, bytes: Buffer.from(sanitizeSvg(svg)) }];
  const drawn = { ...creation, sourceFormat: "svg" as const, watermarkId: null };
  const [signed] = await signFiles(drawn, ingredients, files, signal);
  if (signed === undefined) throw new Error("The SVG was not signed.");
  return signed.bytes;
}
