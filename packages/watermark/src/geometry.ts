/**
 * Position of the tile in an image: its size along each axis, its rotation and its skew.
 * Turns by 90° and mirror images are told apart when the tile is read (see `symmetries`).
 */
export interface Geometry {
  /** Pixels of a tile along its x axis and its y axis. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** In radians. */
  readonly angle: number;
  /** How far the x axis of the tile moves per pixel along its y axis; in photographs of a picture. */
  readonly skew: number;
}

/** Tiles per pixel along the axes of the image: the tile's coordinates are this matrix times x and y. */
export interface TileMatrix {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

export function matrixOf({ tileWidth, tileHeight, angle, skew }: Geometry): TileMatrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    xx: (cos + skew * sin) / tileWidth,
    xy: (skew * cos - sin) / tileWidth,
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

/**
 * Where a mark lies in an image: the point (x, y) is at (xx·x + xy·y + left, yx·x + yy·y + top) in the
 * marked original, in tiles, up to a whole number of tiles along each axis.
 */
export interface Placement extends TileMatrix {
  readonly left: number;
  readonly top: number;
}

/**
 * @param symmetry how the axes of the tile are swapped and reversed in the image.
 * @param begin of a tile, in tiles of the original.
 */
export function placementOf(
  geometry: Geometry,
  symmetry: TileMatrix,
  begin: { readonly x: number; readonly y: number },
): Placement {
  const { xx, xy, yx, yy } = matrixOf(geometry);
  // The inverse of a symmetry is its transposed matrix.
  return {
    xx: symmetry.xx * xx + symmetry.yx * yx,
    xy: symmetry.xx * xy + symmetry.yx * yy,
    yx: symmetry.xy * xx + symmetry.yy * yx,
    yy: symmetry.xy * xy + symmetry.yy * yy,
    left: -begin.x,
    top: -begin.y,
  };
}

/** The placement in an image of which a part was searched, enlarged by a factor. */
export function placementInWhole(
  { xx, xy, yx, yy, left, top }: Placement,
  part: { readonly left: number; readonly top: number; readonly scale: number },
): Placement {
  const scaled = {
    xx: xx * part.scale,
    xy: xy * part.scale,
    yx: yx * part.scale,
    yy: yy * part.scale,
  };
  return {
    ...scaled,
    left: left - scaled.xx * part.left - scaled.xy * part.top,
    top: top - scaled.yx * part.left - scaled.yy * part.top,
  };
}
