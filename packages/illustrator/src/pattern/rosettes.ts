import { mix, shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

function petals(
  count: number,
  x: number,
  y: number,
  from: number,
  to: number,
  width: number,
  turn: number,
): string {
  return range(count)
    .map((index) => {
      const angle = turn + (index / count) * Math.PI * 2;
      const at = (reach: number, aside: number): string =>
        `${short(x + Math.cos(angle) * reach - Math.sin(angle) * aside)} ${short(y + Math.sin(angle) * reach + Math.cos(angle) * aside)}`;
      const middle = from + (to - from) * 0.55;
      return `M${at(from, 0)}Q${at(middle, width)} ${at(to, 0)}Q${at(middle, -width)} ${at(from, 0)}Z`;
    })
    .join("");
}

/** A large rosette of rings of petals, with smaller ones in the corners. */
export const rosettes: DrawOrnament = (pen, inks, random, width, height) => {
  const fold = random.pick([8, 10, 12, 16]);
  const large = Math.min(width, height) * 0.5;
  const one = (x: number, y: number, radius: number, shift: number): string => {
    const parts = [
      pen.fill(oval(x, y, radius), inks.deep),
      pen.fill(oval(x, y, radius * 0.965), inks.ground),
    ];
    const rings = [
      [0.62, 0.955, 0.12],
      [0.44, 0.78, 0.1],
      [0.3, 0.6, 0.085],
      [0.14, 0.42, 0.07],
      [0, 0.25, 0.05],
    ] as const;
    for (const [index, [from, to, wide]] of rings.entries()) {
      const turn = (index % 2) * (Math.PI / fold);
      const colour = inkAt(inks, shift + index);
      parts.push(
        pen.fill(
          petals(fold, x, y, radius * from, radius * to, radius * wide * (14 / fold), turn),
          colour,
        ),
      );
      parts.push(
        pen.fill(
          petals(
            fold,
            x,
            y,
            radius * (from + 0.06),
            radius * (to - 0.1),
            radius * wide * (7 / fold),
            turn,
          ),
          shade(colour, 0.12),
          0.85,
        ),
      );
      parts.push(
        pen.fill(
          range(fold)
            .map((dot) => {
              const angle = turn + ((dot + 0.5) / fold) * Math.PI * 2;
              return oval(
                x + Math.cos(angle) * radius * (to - 0.03),
                y + Math.sin(angle) * radius * (to - 0.03),
                radius * 0.014,
              );
            })
            .join(""),
          inks.deep,
        ),
      );
    }
    parts.push(
      pen.fill(oval(x, y, radius * 0.085), inks.deep),
      pen.fill(oval(x, y, radius * 0.055), inkAt(inks, shift + 2)),
    );
    return parts.join("");
  };
  const background = [
    pen.fill(box(-4, -4, width + 8, height + 8), mix(inks.ground, inkAt(inks, 1), 0.16)),
  ];
  const grid = range(Math.ceil(height / 64) + 1).flatMap((row) =>
    range(Math.ceil(width / 64) + 1).map((column) =>
      oval(column * 64 + (row % 2) * 32, row * 64, 5),
    ),
  );
  background.push(pen.fill(grid.join(""), inkAt(inks, 2), 0.5));
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const;
  const sides =
    width > height * 1.25
      ? ([
          [width * 0.5 - large * 1.5, height / 2],
          [width * 0.5 + large * 1.5, height / 2],
        ] as const)
      : height > width * 1.25
        ? ([
            [width / 2, height * 0.5 - large * 1.5],
            [width / 2, height * 0.5 + large * 1.5],
          ] as const)
        : [];
  return [
    ...background,
    ...corners.map(([x, y]) => one(x, y, large * 0.52, 1)),
    ...sides.map(([x, y]) => one(x, y, large * 0.46, 2)),
    one(width / 2, height / 2, large * 0.93, 0),
  ].join("");
};
