import type { PixelSize } from "./pixel-size.ts";

/** Returns an SVG document of this pixel size that shows a view in these units. */
export function svgDocument(
  view: PixelSize,
  size: PixelSize,
  definitions: string,
  body: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height}" width="${size.width}" height="${size.height}" preserveAspectRatio="none">` +
    `<defs>${definitions}</defs>${body}</svg>`
  );
}
