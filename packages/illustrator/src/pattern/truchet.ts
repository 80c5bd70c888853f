import { box, oval, range, short } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** Quarter circles on a grid, randomly rotated, that join into endless paths. */
export const truchet: DrawOrnament = (pen, inks, random, width, height) => {
  const size = random.pick([84, 102, 128]);
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const [dx, dy] = [(width - columns * size) / 2, (height - rows * size) / 2];
  const half = size / 2;
  const mirror = random.chance(0.6);
  const turned = range(columns * rows).map(() => random.chance(0.5));
  const strands: string[] = [];
  const blobs: string[][] = [[], [], []];
  const dots: string[] = [];
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const from = mirror ? Math.min(column, columns - 1 - column) : column;
      const flipped = mirror && column * 2 >= columns;
      const turn = (turned[row * columns + from] ?? false) !== flipped;
      const [x, y] = [dx + column * size, dy + row * size];
      const r = short(half);
      strands.push(
        turn
          ? `M${short(x + half)} ${short(y)}A${r} ${r} 0 0 1 ${short(x)} ${short(y + half)}M${short(x + size)} ${short(y + half)}A${r} ${r} 0 0 0 ${short(x + half)} ${short(y + size)}`
          : `M${short(x + half)} ${short(y)}A${r} ${r} 0 0 0 ${short(x + size)} ${short(y + half)}M${short(x)} ${short(y + half)}A${r} ${r} 0 0 1 ${short(x + half)} ${short(y + size)}`,
      );
      blobs[(row + from) % 3]!.push(box(x, y, size, size));
      if ((row + column) % 2 === 0) dots.push(oval(x, y, size * 0.1));
    }
  }
  const path = strands.join("");
  return [
    pen.fill(box(-4, -4, width + 8, height + 8), inks.ground),
    ...blobs.map((list, index) => pen.fill(list.join(""), inkAt(inks, index), 0.26)),
    pen.line(path, inks.deep, size * 0.44),
    pen.line(path, inkAt(inks, 0), size * 0.32),
    pen.line(path, inks.ground, size * 0.16),
    pen.line(path, inkAt(inks, 1), size * 0.06),
    pen.fill(dots.join(""), inkAt(inks, 2)),
  ].join("");
};
