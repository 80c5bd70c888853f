import { mix, shade } from "../colour.ts";
import { box, polygon, range } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** Cubes seen from a corner: hexagons in three tones, with some hollow ones. */
export const hexagons: DrawOrnament = (pen, inks, random, width, height) => {
  const side = random.pick([52, 66, 82]);
  const across = side * Math.sqrt(3);
  const [columns, rows] = [Math.ceil(width / across) + 2, Math.ceil(height / (side * 1.5)) + 2];
  const layers = new Map<string, string[]>();
  const add = (colour: string, points: readonly Point[]): void => {
    const list = layers.get(colour);
    if (list === undefined) layers.set(colour, [polygon(points)]);
    else list.push(polygon(points));
  };
  const drift = random.between(0.15, 0.4);
  const start = random.whole(0, 4);
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const x = (column - 0.5 + (row % 2) * 0.5) * across;
      const y = (row - 0.5) * side * 1.5;
      const corner = (index: number, reach = 1): Point => [
        x + Math.cos(Math.PI / 6 + (index * Math.PI) / 3) * side * reach,
        y + Math.sin(Math.PI / 6 + (index * Math.PI) / 3) * side * reach,
      ];
      const colour = inkAt(
        inks,
        start + Math.floor(row * drift + Math.sin(column * 0.9) * 0.9 + 4),
      );
      const hollow = random.chance(0.16);
      const base = hollow ? inks.ground : colour;
      add(shade(base, 0.07), [[x, y], corner(3), corner(4), corner(5)]);
      add(base, [[x, y], corner(5), corner(0), corner(1)]);
      add(hollow ? mix(inks.ground, inks.deep, 0.22) : shade(base, -0.13), [
        [x, y],
        corner(1),
        corner(2),
        corner(3),
      ]);
      if (random.chance(0.2))
        add(inks.deep, [
          [x, y - side * 0.5 + side * 0.22],
          [x + side * 0.36, y - side * 0.5],
          [x, y - side * 0.72],
          [x - side * 0.36, y - side * 0.5],
        ]);
    }
  }
  return (
    pen.fill(box(-4, -4, width + 8, height + 8), inks.deep) +
    [...layers].map(([colour, list]) => pen.fill(list.join(""), colour)).join("")
  );
};
