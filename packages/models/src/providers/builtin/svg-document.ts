import type { PixelSize } from "./pixel-size.ts";

/** An SVG document of these pixels over a view of these units. */
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
