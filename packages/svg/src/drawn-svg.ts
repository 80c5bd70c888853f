/** A sanitised SVG and its drawing. */
export interface DrawnSvg {
  readonly svg: string;
  /** With alpha. */
  readonly png: Uint8Array;
}
