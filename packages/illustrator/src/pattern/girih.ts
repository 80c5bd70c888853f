import { mix, shade } from "../colour.ts";
import { box, polygon, range, star } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** Eight-pointed stars and crosses with interlaced bands. */
export const girih: DrawOrnament = (pen, inks, random, width, height) => {
  const size = random.pick([150, 180, 215]);
  const [columns, rows] = [Math.ceil(width / size) + 1, Math.ceil(height / size) + 1];
  const first = random.whole(0, 4);
  const inner = 0.765;
  const layers: string[][] = [[], [], [], []];
  const bands: string[] = [];
  const dots: string[] = [];
  const offsetX = (width - (columns - 1) * size) / 2;
  const offsetY = (height - (rows - 1) * size) / 2;
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const [x, y] = [offsetX + column * size, offsetY + row * size];
      const half = size / 2;
      const reach = half * 1.0;
      layers[(row + column) % 2]!.push(star(x, y, reach, reach * inner, 8));
      layers[2]!.push(star(x, y, reach * 0.62, reach * 0.44, 8));
      layers[3]!.push(star(x, y, reach * 0.3, reach * 0.15, 8));
      const centre: Point = [x + half, y + half];
      const arm = half * (1 - inner * Math.SQRT1_2);
      bands.push(star(x, y, reach * 0.82, reach * 0.82 * inner, 8));
      dots.push(star(centre[0], centre[1], arm * 0.95, arm * 0.42, 4));
      bands.push(
        polygon([
          [centre[0], centre[1] - arm * 1.3],
          [centre[0] + arm * 1.3, centre[1]],
          [centre[0], centre[1] + arm * 1.3],
          [centre[0] - arm * 1.3, centre[1]],
        ]),
      );
    }
  }
  const colour = (index: number): string => inkAt(inks, first + index);
  return [
    pen.fill(box(-4, -4, width + 8, height + 8), inks.deep),
    pen.fill(layers[0]!.join(""), colour(0)),
    pen.fill(layers[1]!.join(""), mix(colour(1), colour(0), 0.15)),
    pen.line(bands.join(""), inks.ground, size * 0.032),
    pen.line(bands.join(""), shade(colour(2), 0.02), size * 0.011),
    pen.fill(layers[2]!.join(""), inks.ground),
    pen.fill(layers[3]!.join(""), colour(2)),
    pen.fill(dots.join(""), colour(3)),
  ].join("");
};
