/** The value of a channel, which changes evenly across the image. */
export interface Plane {
  readonly base: number;
  readonly perX: number;
  readonly perY: number;
}

/** The colour of a background: a plane for red, green and blue. */
export type Background = readonly [Plane, Plane, Plane];

export function valueAt({ base, perX, perY }: Plane, x: number, y: number): number {
  return base + perX * x + perY * y;
}

/** Colours that differ more from the median are not part of the plane. */
const maxDeviation = 40;

/**
 * Fits the colours of some pixels by least squares, without those that differ much from the
 * median.
 *
 * @param pixels by their index.
 */
export function fitBackground(
  pixels: readonly number[],
  { data, width }: { readonly data: Uint8Array; readonly width: number },
): Background {
  const colourOf = (at: number, channel: number) => data[at * 4 + channel] ?? 0;
  const medians = [0, 1, 2].map((channel) => medianOf(pixels.map((at) => colourOf(at, channel))));
  const used = pixels.filter((at) =>
    medians.every((median, channel) => Math.abs(colourOf(at, channel) - median) <= maxDeviation),
  );
  const planeOf = (channel: 0 | 1 | 2): Plane => {
    const points = used.map((at) => {
      const x = at % width;
      return [x, (at - x) / width, colourOf(at, channel)] as const;
    });
    return solve(points) ?? { base: medians[channel] ?? 0, perX: 0, perY: 0 };
  };
  return [planeOf(0), planeOf(1), planeOf(2)];
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Solves value = base + perX * x + perY * y; null when the points do not determine it. */
function solve(points: readonly (readonly [x: number, y: number, value: number])[]): Plane | null {
  const count = points.length;
  if (count === 0) return null;
  const mean = (index: 0 | 1 | 2) => points.reduce((sum, point) => sum + point[index], 0) / count;
  const [meanX, meanY, meanValue] = [mean(0), mean(1), mean(2)];
  let [xx, xy, yy, xv, yv] = [0, 0, 0, 0, 0];
  for (const [x, y, value] of points) {
    const [dx, dy, dv] = [x - meanX, y - meanY, value - meanValue];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    xv += dx * dv;
    yv += dy * dv;
  }
  const determinant = xx * yy - xy * xy;
  if (Math.abs(determinant) < 1e-6) return null;
  const perX = (xv * yy - yv * xy) / determinant;
  const perY = (yv * xx - xv * xy) / determinant;
  return { base: meanValue - perX * meanX - perY * meanY, perX, perY };
}
