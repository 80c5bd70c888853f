/**
 * Position of the tile in an image: its size along each axis, and its rotation.
 * Turns by 90° and mirror images are told apart when the tile is read (see `symmetries`).
 */
export interface Geometry {
  /** Pixels of a tile along its x axis and its y axis. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** In radians. */
  readonly angle: number;
}

/** Tiles per pixel along the axes of the image: the tile's coordinates are this matrix times x and y. */
export interface TileMatrix {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

export function matrixOf({ tileWidth, tileHeight, angle }: Geometry): TileMatrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    xx: cos / tileWidth,
    xy: -sin / tileWidth,
    yx: sin / tileHeight,
    yy: cos / tileHeight,
  };
}

/** The ways in which the axes of a tile can be swapped and reversed: x' = xx·x + xy·y, y' = yx·x + yy·y. */
export const symmetries: readonly TileMatrix[] = [1, -1].flatMap((one) =>
  [1, -1].flatMap((other) => [
    { xx: one, xy: 0, yx: 0, yy: other },
    { xx: 0, xy: one, yx: other, yy: 0 },
  ]),
);
