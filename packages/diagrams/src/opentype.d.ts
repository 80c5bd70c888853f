/** The part of opentype.js that is used; the package has no types of its own. */
declare module "opentype.js/dist/opentype.mjs" {
  export interface Font {
    /** 0 for a character that the font does not have. */
    charToGlyphIndex(character: string): number;
    getAdvanceWidth(text: string, fontSize: number): number;
    getPath(
      text: string,
      x: number,
      y: number,
      fontSize: number,
    ): { toPathData(decimalPlaces: number): string };
  }
  export function parse(bytes: ArrayBufferLike): Font;
}
