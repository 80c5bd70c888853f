/** A picture with red, green, blue and alpha of each pixel, from 0 to 255, colours multiplied by alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: Float32Array;
  /** 1 for a pixel that is to be filled, 0 for all others. */
  readonly hole: Uint8Array;
}

/** Halves a picture. A pixel is in the hole if more than half of its pixels were; others have their mean. */
export function halve({ width, height, channels, hole }: Picture): Picture {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const smaller: Picture = {
    ...half,
    channels: new Float32Array(half.width * half.height * 4),
    hole: new Uint8Array(half.width * half.height),
  };
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const at = y * half.width + x;
      let known = 0;
      let all = 0;
      for (let row = 2 * y; row < Math.min(height, 2 * y + 2); row += 1) {
        for (let column = 2 * x; column < Math.min(width, 2 * x + 2); column += 1) {
          const from = row * width + column;
          all += 1;
          if (hole[from] === 1) continue;
          known += 1;
          for (let channel = 0; channel < 4; channel += 1) {
            smaller.channels[at * 4 + channel]! += channels[from * 4 + channel]!;
          }
        }
      }
      smaller.hole[at] = known * 2 < all || known === 0 ? 1 : 0;
      if (known === 0) continue;
      for (let channel = 0; channel < 4; channel += 1) {
        smaller.channels[at * 4 + channel]! /= known;
      }
    }
  }
  return smaller;
}

/** Copies the pixels of a picture of half the size into the hole, interpolated. */
export function fillFromHalf(picture: Picture, half: Picture): void {
  const { width, height, channels, hole } = picture;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if (hole[at] === 0) continue;
      const left = Math.max(0, Math.min(half.width - 1, (x - 0.5) / 2));
      const top = Math.max(0, Math.min(half.height - 1, (y - 0.5) / 2));
      const [column, row] = [Math.floor(left), Math.floor(top)];
      const right = Math.min(half.width - 1, column + 1);
      const bottom = Math.min(half.height - 1, row + 1);
      const [across, down] = [left - column, top - row];
      for (let channel = 0; channel < 4; channel += 1) {
        const of = (px: number, py: number) => half.channels[(py * half.width + px) * 4 + channel]!;
        const upper = of(column, row) * (1 - across) + of(right, row) * across;
        const lower = of(column, bottom) * (1 - across) + of(right, bottom) * across;
        channels[at * 4 + channel] = upper * (1 - down) + lower * down;
      }
    }
  }
}
