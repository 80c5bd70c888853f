import { mix, shade } from "../colour.ts";
import { box, polygon, range } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** Chips of stone of several sizes that do not touch. */
export const terrazzo: DrawOrnament = (pen, inks, random, width, height) => {
  const parts = [pen.fill(box(-4, -4, width + 8, height + 8), inks.ground)];
  const laid: { x: number; y: number; r: number }[] = [];
  const colours = new Map<string, string[]>();
  const veins: string[] = [];
  const sizes = [
    ...range(26).map(() => random.between(46, 78)),
    ...range(90).map(() => random.between(20, 36)),
    ...range(300).map(() => random.between(5, 13)),
  ];
  for (const [index, r] of sizes.entries()) {
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const [x, y] = [random.between(-20, width + 20), random.between(-20, height + 20)];
      if (laid.some((other) => (other.x - x) ** 2 + (other.y - y) ** 2 < (other.r + r + 5) ** 2))
        continue;
      laid.push({ x, y, r });
      const turn = random.between(0, 6.3);
      const corners = random.whole(4, 7);
      const points: Point[] = range(corners).map((corner) => {
        const angle = turn + ((corner + random.between(-0.25, 0.25)) / corners) * Math.PI * 2;
        const reach = r * random.between(0.72, 1);
        return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
      });
      const colour =
        index % 7 === 0
          ? inks.deep
          : random.chance(0.2)
            ? mix(inkAt(inks, index), inks.ground, 0.5)
            : inkAt(inks, index);
      colours.set(colour, [...(colours.get(colour) ?? []), polygon(points)]);
      if (r > 30) veins.push(polygon([points[0]!, [x, y], points[2]!], false));
      break;
    }
  }
  for (const [colour, list] of colours) parts.push(pen.fill(list.join(""), colour));
  return parts.join("") + pen.line(veins.join(""), shade(inks.ground, -0.02), 2.4, 0.4);
};
