import { addedTile, blueShare, greenShare, redShare } from "./add-tile.ts";
import { fftTables } from "./fft.ts";
import { firstOf, triangleWeights, type Luma, type Pixels, type Size } from "./luma.ts";
import { contrastRadius, flatDeviation, maxDeviation } from "./normalise.ts";
import { usePixelModule, type PixelModule } from "./pixel-module.ts";
import type { PixelOperations } from "./pixel-operations.ts";
import type { StrengthMap } from "./strength.ts";
import { tilesPerSide } from "./tile.ts";

/** The operations in the module of vector instructions. */
export const moduleOperations: PixelOperations = {
  reduceToLuma(pixels, size, samples = Number.POSITIVE_INFINITY) {
    return usePixelModule((module) => {
      const { data, width, height, channels } = pixels;
      const step = Math.max(1, Math.floor(width / size.width / samples));
      const columns = module.place(firstOf(width, size.width));
      const rows = module.place(firstOf(height, size.height));
      const reduced = module.reserve(4 * size.width * size.height);
      module.call.reduce(
        module.place(data),
        width,
        channels,
        size.width,
        size.height,
        columns,
        rows,
        step,
        module.reserve(2 * width),
        reduced,
      );
      return readLuma(module, reduced, size);
    });
  },

  resizeToLuma(pixels, size) {
    return usePixelModule((module) => {
      const { data, width, height, channels } = pixels;
      const wide = module.reserve(4 * width * height);
      const line = module.reserve(2 * width);
      module.call.brightness(module.place(data), width, height, channels, line, wide);
      return readLuma(module, resize(module, wide, pixels, size), size);
    });
  },

  resizeLuma(luma, size) {
    if (luma.width === size.width && luma.height === size.height) return luma;
    return usePixelModule((module) =>
      readLuma(module, resize(module, module.place(luma.values), luma, size), size),
    );
  },

  normalise({ values, width, height }, radius) {
    return usePixelModule((module) => {
      const count = width * height;
      const placed = module.place(values);
      const [gains, whole, rows] = [count, count, 2 * width].map((n) => module.reserve(4 * n));
      module.call.normalise(
        placed,
        width,
        height,
        radius,
        contrastRadius(radius),
        flatDeviation,
        maxDeviation,
        gains!,
        whole!,
        rows!,
      );
      return { values: module.readFloats(placed, count), gains: module.readFloats(gains!, count) };
    });
  },

  addTile(pixels, tile, map) {
    usePixelModule((module) => {
      const placed = module.place(pixels.data);
      addPlaced(module, placed, pixels, tile, map);
      pixels.data.set(module.bytesAt(placed, pixels.data.length));
    });
  },

  addTiles({ values, width, height }, { xx, xy, yx, yy }, samples) {
    return usePixelModule((module) => {
      const tile = module.reserve(4 * samples * samples);
      module.call.addTiles(module.place(values), width, height, xx, xy, yx, yy, samples, tile);
      return module.readFloats(tile, samples * samples);
    });
  },

  transformLines(re, im, size, passes, inverse) {
    usePixelModule((module) => {
      const { cosines, sines, reversed } = fftTables(size);
      const [placedRe, placedIm] = [module.place(re), module.place(im)];
      const [cos, sin, order] = [
        module.place(cosines),
        module.place(sines),
        module.place(reversed),
      ];
      const scratch = module.reserve(4 * 32 * size);
      for (const { elements, between, lines } of passes) {
        module.call.transform(
          placedRe,
          placedIm,
          size,
          elements,
          between,
          lines,
          cos,
          sin,
          order,
          inverse ? 1 : -1,
          scratch,
        );
      }
      re.set(module.floatsAt(placedRe, re.length));
      im.set(module.floatsAt(placedIm, im.length));
    });
  },

  sumPowers({ power, rows }, geometries, { x, y }) {
    return usePixelModule((module) => {
      const count = geometries.length / 4;
      const sums = module.reserve(4 * count);
      module.call.sumPowers(
        module.place(power),
        rows,
        module.place(geometries),
        count,
        module.place(x),
        module.place(y),
        x.length,
        sums,
      );
      return module.readFloats(sums, count);
    });
  },
};

function resize(module: PixelModule, values: number, from: Size, to: Size): number {
  if (from.width === to.width && from.height === to.height) return values;
  const across = triangleWeights(from.width, to.width);
  const down = triangleWeights(from.height, to.height);
  const [columns, columnWeights] = [module.place(across.first), module.place(across.weights)];
  const [rows, rowWeights] = [module.place(down.first), module.place(down.weights)];
  const mixed = module.reserve(4 * from.width);
  const out = module.reserve(4 * to.width * to.height);
  module.call.resize(
    values,
    from.width,
    to.width,
    to.height,
    across.taps,
    columns,
    columnWeights,
    down.taps,
    rows,
    rowWeights,
    mixed,
    out,
  );
  return out;
}

function readLuma(module: PixelModule, at: number, { width, height }: Size): Luma {
  return { values: module.readFloats(at, width * height), width, height };
}

/** `addTile` in the module: rows of tile and map are stretched once, and mixed for each row of pixels. */
function addPlaced(
  module: PixelModule,
  placed: number,
  { width, height, channels }: Pixels,
  tile: Float32Array,
  map: StrengthMap,
): void {
  const { call } = module;
  const stretch = (rows: Float32Array, count: number, columns: Columns): number => {
    const out = module.reserve(4 * count * width);
    const [column, fraction] = [Int32Array.from(columns.column), columns.fraction];
    const from = module.place(rows);
    const length = rows.length / count;
    call.stretch(from, count, length, module.place(column), module.place(fraction), width, out);
    return out;
  };
  const tileScale = (addedTile * tilesPerSide) / Math.min(width, height);
  const positionOf = (at: number) => ((at + 0.5) * tileScale - 0.5 + addedTile) % addedTile;
  const across = Float64Array.from({ length: width }, (_, x) => positionOf(x));
  const waves = stretch(closeRows(tile), addedTile, {
    column: across.map(Math.floor),
    fraction: Float32Array.from(across, (at) => at - Math.floor(at)),
  });
  const strengths = stretch(map.cells, map.height, map.columns(width));
  for (let y = 0; y < height; y++) {
    const position = positionOf(y);
    const [upper, cell] = [Math.floor(position), map.rowAt(y, height)];
    const row = Math.floor(cell);
    call.add(
      placed + y * width * channels,
      width,
      channels,
      waves + 4 * width * upper,
      waves + 4 * width * ((upper + 1) % addedTile),
      position - upper,
      strengths + 4 * width * row,
      strengths + 4 * width * (row + 1),
      cell - row,
      redShare,
      greenShare,
      blueShare,
    );
  }
}

interface Columns {
  readonly column: ArrayLike<number>;
  readonly fraction: Float32Array;
}

/** The rows of a tile, each with its first sample once more at the end. */
function closeRows(tile: Float32Array): Float32Array {
  const rows = new Float32Array(addedTile * (addedTile + 1));
  for (let y = 0; y < addedTile; y++) {
    const row = y * (addedTile + 1);
    rows.set(tile.subarray(y * addedTile, (y + 1) * addedTile), row);
    rows[row + addedTile] = tile[y * addedTile]!;
  }
  return rows;
}
