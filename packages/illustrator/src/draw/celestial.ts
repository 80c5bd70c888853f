/** Position of the sun or moon. */
export interface Celestial {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
