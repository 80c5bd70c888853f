import { box, oval, polygon, range, short } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** Playful shapes spread evenly, some with a shadow: squiggles, rings, zigzags, dots, arcs. */
export const memphis: DrawOrnament = (pen, inks, random, width, height) => {
  const parts = [pen.fill(box(-4, -4, width + 8, height + 8), inks.ground)];
  const cell = 128;
  const [columns, rows] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const x = (column + (row % 2) * 0.5) * cell + random.between(-18, 18);
      const y = row * cell + random.between(-18, 18);
      const index = row * 3 + column * 2 + random.whole(0, 1);
      const shape = drawShape(pen, inkAt(inks, index), inkAt(inks, index + 1), inks.deep, random);
      parts.push(
        pen.place(shape, x, y, random.between(0.8, 1.15), undefined, random.between(-40, 40)),
      );
      parts.push(pen.fill(oval(x + cell * 0.5, y + cell * 0.34, 6), inkAt(inks, index + 2)));
    }
  }
  return parts.join("");
};

const zigzag = (y: number): Point[] =>
  range(7).map((index) => [-42 + index * 14, y + (index % 2) * 18 - 9]);

function drawShape(pen: Pen, colour: string, second: string, deep: string, random: Random): string {
  switch (random.whole(0, 7)) {
    case 0:
      return pen.fill(oval(5, 6, 34), deep, 0.9) + pen.fill(oval(0, 0, 34), colour);
    case 1:
      return pen.line(oval(0, 0, 27), colour, 14) + pen.fill(oval(0, 0, 7), deep);
    case 2:
      return pen.line("M-42 0Q-28 -30 -14 0T14 0T42 0", colour, 12);
    case 3:
      return (
        pen.line(polygon(zigzag(0), false), deep, 7) +
        pen.line(polygon(zigzag(20), false), colour, 7)
      );
    case 4:
      return pen.fill("M6 -32L40 30H-28Z", deep, 0.9) + pen.fill("M0 -38L34 24H-34Z", colour);
    case 5:
      return (
        pen.fill("M-36 14A36 36 0 0 1 36 14Z", colour) +
        pen.fill("M-20 14A20 20 0 0 1 20 14Z", second)
      );
    case 6:
      return pen.fill(
        range(9)
          .map((index) => oval(-24 + (index % 3) * 24, -24 + Math.floor(index / 3) * 24, 6))
          .join(""),
        colour,
      );
    default:
      return (
        pen.fill(box(-34, -34, 68, 68), colour) +
        pen.line(
          range(5)
            .map((index) => `M${short(-30 + index * 15)} -30L-30 ${short(-30 + index * 15)}`)
            .join(""),
          deep,
          4,
        )
      );
  }
}
