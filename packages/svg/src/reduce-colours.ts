/** A picture as RGBA bytes. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type Colour = readonly [red: number, green: number, blue: number];

/** A cell of the colour cube, of 8 × 8 × 8 colours, and the sum of its pixels. */
interface Cell {
  count: number;
  readonly sum: [number, number, number];
}

/**
 * Reduces a picture to few colours: median cut of its histogram. A part has the colour of most of its
 * pixels, so that drawings keep their exact colours, or the mean if there is none. Pixels that are less than half opaque become transparent, all others opaque. Changes the pixels in place.
 *
 * @returns the colours of the result, at most `count`.
 */
export function paintInFewColours({ data }: Pixels, count: number): readonly Colour[] {
  const cells = new Map<number, Cell>();
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < 128) continue;
    const key = keyAt(data, at);
    const cell = cells.get(key) ?? { count: 0, sum: [0, 0, 0] };
    cells.set(key, cell);
    cell.count += 1;
    for (let channel = 0; channel < 3; channel += 1) {
      cell.sum[channel] = (cell.sum[channel] ?? 0) + (data[at + channel] ?? 0);
    }
  }
  const palette = cutMedians([...cells.values()], count).map(colourOf);
  const nearest = new Map(
    [...cells].map(([key, cell]) => [key, nearestOf(meanOf([cell]), palette)]),
  );
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at + 3] ?? 0) < 128 ? null : nearest.get(keyAt(data, at));
    data.set(colour == null ? [0, 0, 0, 0] : [...colour, 255], at);
  }
  return palette;
}

/** Finds the colour of a palette that is nearest to another. */
export function nearestOf(colour: Colour, palette: readonly Colour[]): Colour {
  const distanceTo = (other: Colour) =>
    other.reduce((sum, value, index) => sum + (value - (colour[index] ?? 0)) ** 2, 0);
  let best: Colour = palette[0] ?? [0, 0, 0];
  for (const other of palette) if (distanceTo(other) < distanceTo(best)) best = other;
  return best;
}

function keyAt(data: Buffer, at: number): number {
  const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

/** Splits the part with the largest error along its longest side, until there are enough parts. */
function cutMedians(cells: readonly Cell[], count: number): readonly (readonly Cell[])[] {
  const parts = [measure(cells)];
  while (parts.length < count) {
    const widest = parts.reduce((one, other) => (other.error > one.error ? other : one));
    if (widest.error === 0) break;
    const sorted = widest.cells.toSorted(
      (one, other) => channelOf(one, widest.channel) - channelOf(other, widest.channel),
    );
    const cut = cutAt(sorted, widest);
    parts.splice(
      parts.indexOf(widest),
      1,
      measure(sorted.slice(0, cut)),
      measure(sorted.slice(cut)),
    );
  }
  return parts.map((part) => part.cells);
}

/** The first cell above the mean: two clear groups of colours are divided between them. */
function cutAt(sorted: readonly Cell[], { channel, mean }: Part): number {
  const above = sorted.findIndex((cell) => channelOf(cell, channel) > mean);
  return Math.max(1, above === -1 ? sorted.length - 1 : above);
}

interface Part {
  readonly cells: readonly Cell[];
  /** The channel that varies most, its mean, and the sum of its squared deviations. */
  readonly channel: number;
  readonly mean: number;
  readonly error: number;
}

function measure(cells: readonly Cell[]): Part {
  const mean = meanOf(cells);
  const errors = [0, 1, 2].map((channel) =>
    cells.reduce(
      (sum, cell) => sum + cell.count * (channelOf(cell, channel) - (mean[channel] ?? 0)) ** 2,
      0,
    ),
  );
  const error = cells.length < 2 ? 0 : Math.max(...errors);
  const channel = Math.max(0, errors.indexOf(Math.max(...errors)));
  return { cells, channel, mean: mean[channel] ?? 0, error };
}

function channelOf({ count, sum }: Cell, channel: number): number {
  return (sum[channel] ?? 0) / count;
}

function colourOf(cells: readonly Cell[]): Colour {
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  const main = cells.find(({ count }) => count * 2 > total);
  return meanOf(main === undefined ? cells : [main]);
}

function meanOf(cells: readonly Cell[]): Colour {
  const total = Math.max(
    1,
    cells.reduce((sum, { count }) => sum + count, 0),
  );
  const mean = (channel: number) =>
    Math.round(cells.reduce((sum, cell) => sum + (cell.sum[channel] ?? 0), 0) / total);
  return [mean(0), mean(1), mean(2)];
}
