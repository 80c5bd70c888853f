import { mix } from "../colour.ts";
import { box, range, short } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

const disc = (x: number, y: number, r: number): string =>
  `M${short(x - r)} ${short(y)}A${short(r)} ${short(r)} 0 0 1 ${short(x + r)} ${short(y)}Z`;

/** Overlapping scales of concentric arcs, like waves. */
export const waves: DrawOrnament = (pen, inks, random, width, height) => {
  const radius = random.pick([74, 92, 116]);
  const rings = random.whole(3, 5);
  const shift = random.whole(0, 4);
  const parts = [pen.fill(box(-4, -4, width + 8, height + 8), inks.ground)];
  const rows = Math.ceil(height / (radius / 2)) + 3;
  for (const row of range(rows)) {
    const y = (row - 0.2) * (radius / 2) + radius * 0.5;
    const across = range(Math.ceil(width / (radius * 2)) + 2).map(
      (column) => column * radius * 2 - (row % 2 === 0 ? 0 : radius),
    );
    const share = row / rows;
    for (const ring of range(rings)) {
      const r = radius * (1 - ring / rings);
      const base = inkAt(
        inks,
        shift + (ring % 2 === 0 ? Math.floor(row / 3) : 1 + Math.floor(row / 4)),
      );
      const colour =
        ring === rings - 1
          ? inkAt(inks, shift + 2)
          : ring % 2 === 0
            ? mix(base, inks.deep, share * 0.5)
            : inks.ground;
      parts.push(pen.fill(across.map((x) => disc(x, y, r)).join(""), colour));
    }
  }
  return parts.join("");
};
