import type { Pixels } from "@atelier/watermark";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a pixel of the result comes from. */
type Source = (x: number, y: number) => Point;

/** Draws each pixel from where it comes from, with bilinear interpolation. */
export function mapThrough(pixels: Pixels, source: Source, background: number): Pixels {
  const { data, width, height } = pixels;
  const result = new Uint8ClampedArray(data.length).fill(background);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const from = source(x, y);
      const [left, top] = [Math.floor(from.x), Math.floor(from.y)];
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const [right, down] = [from.x - left, from.y - top];
      const first = 3 * (top * width + left);
      for (let colour = first; colour < first + 3; colour++) {
        const upper = data[colour]! * (1 - right) + data[colour + 3]! * right;
        const below = colour + 3 * width;
        const lower = data[below]! * (1 - right) + data[below + 3]! * right;
        result[at + colour - first] = upper * (1 - down) + lower * down;
      }
    }
  }
  return { data: result, width, height, channels: 3 };
}

/**
 * The projection that moves the corners (top left, top right, bottom right, bottom left) by parts of width
 * and height.
 */
export function perspective(
  { width, height }: Pixels,
  moves: readonly [Point, Point, Point, Point],
): Source {
  const ends = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const;
  // The inverse mapping: from the moved corners to the corners of the picture, in parts of its size.
  const rows: number[][] = [];
  moves.forEach(({ x: byX, y: byY }, corner) => {
    const [u, v] = ends[corner]!;
    const [x, y] = [u + byX, v + byY];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  const h = solve(rows);
  return (column, row) => {
    const [x, y] = [column / width, row / height];
    const depth = h[6]! * x + h[7]! * y + 1;
    return {
      x: ((h[0]! * x + h[1]! * y + h[2]!) / depth) * width,
      y: ((h[3]! * x + h[4]! * y + h[5]!) / depth) * height,
    };
  };
}

/** Waves of a fifth of the width that move pixels by so many pixels. */
export function bend({ width }: Pixels, amplitude: number): Source {
  const wave = (2 * Math.PI * 5) / width;
  return (x, y) => ({
    x: x + amplitude * Math.sin(wave * y),
    y: y + amplitude * Math.sin(wave * x + 1),
  });
}

/** Solves linear equations by elimination; the last column is the right side. */
function solve(rows: number[][]): number[] {
  const count = rows.length;
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let row = column; row < count; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const top = rows[column]!;
    for (let row = 0; row < count; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / top[column]!;
      for (let at = column; at <= count; at++) rows[row]![at]! -= factor * top[at]!;
    }
  }
  return rows.map((row, index) => row[count]! / row[index]!);
}
