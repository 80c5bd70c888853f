import { shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import type { Random } from "../random.ts";
import { inkAt } from "./inks.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** One block of the quilt with its corner at (x, y): paths for two colours. */
function block(
  kind: number,
  x: number,
  y: number,
  s: number,
  turn: number,
): readonly [string, string] {
  const corners = [
    [x, y],
    [x + s, y],
    [x + s, y + s],
    [x, y + s],
  ] as const;
  const at = (index: number): string => {
    const [px, py] = corners[(index + turn) % 4]!;
    return `${short(px)} ${short(py)}`;
  };
  const sweep = (radius: number): string =>
    `M${at(0)}L${at(1)}A${short(radius)} ${short(radius)} 0 0 1 ${at(3)}Z`;
  switch (kind) {
    case 0:
      return [`M${at(0)}L${at(1)}L${at(2)}Z`, ""];
    case 1:
      return [sweep(s), ""];
    case 2:
      return [oval(x + s / 2, y + s / 2, s * 0.4), oval(x + s / 2, y + s / 2, s * 0.2)];
    case 3:
      return [
        `M${at(0)}L${at(1)}L${short(x + s / 2)} ${short(y + s / 2)}Z`,
        `M${at(2)}L${at(3)}L${short(x + s / 2)} ${short(y + s / 2)}Z`,
      ];
    case 4:
      return [
        `M${short(x + s / 2)} ${short(y)}L${short(x + s)} ${short(y + s / 2)}L${short(x + s / 2)} ${short(y + s)}L${short(x)} ${short(y + s / 2)}Z`,
        box(x + s * 0.36, y + s * 0.36, s * 0.28, s * 0.28),
      ];
    default:
      return [
        range(4)
          .map((index) => box(x, y + (index * s) / 4, s, s / 8))
          .join(""),
        "",
      ];
  }
}

/** Squares of simple shapes, mirrored in both axes. */
export const quilt: DrawOrnament = (pen, inks, random, width, height) => {
  const size = random.pick([96, 128]);
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const [dx, dy] = [(width - columns * size) / 2, (height - rows * size) / 2];
  const plan = planOf(random, columns, rows);
  const parts = [pen.fill(box(-4, -4, width + 8, height + 8), inks.ground)];
  const layers = new Map<string, string[]>();
  const add = (colour: string, path: string): void => {
    if (path !== "") layers.set(colour, [...(layers.get(colour) ?? []), path]);
  };
  const shapes: [string, string][] = [];
  for (const row of range(rows)) {
    for (const column of range(columns)) {
      const [c, r] = [Math.min(column, columns - 1 - column), Math.min(row, rows - 1 - row)];
      const { kind, ground, ink, turn } = plan[r * columns + c] ?? {
        kind: 0,
        ground: 0,
        ink: 1,
        turn: 0,
      };
      const right = column > columns - 1 - column;
      const lower = row > rows - 1 - row;
      const turned = (right ? (lower ? 2 : 1) : lower ? 3 : 0) + turn;
      const [x, y] = [dx + column * size, dy + row * size];
      add(ground < 0 ? inks.ground : inkAt(inks, ground), box(x, y, size, size));
      const [one, two] = block(kind, x, y, size, turned % 4);
      shapes.push([ink < 0 ? inks.deep : inkAt(inks, ink), one], [shade(inks.ground, -0.01), two]);
    }
  }
  for (const [colour, list] of layers) parts.push(pen.fill(list.join(""), colour));
  const fronts = new Map<string, string[]>();
  for (const [colour, path] of shapes)
    if (path !== "") fronts.set(colour, [...(fronts.get(colour) ?? []), path]);
  for (const [colour, list] of fronts) parts.push(pen.fill(list.join(""), colour));
  return parts.join("");
};

function planOf(
  random: Random,
  columns: number,
  rows: number,
): { kind: number; ground: number; ink: number; turn: number }[] {
  return range(columns * rows).map(() => {
    const ground = random.whole(-2, 3);
    return {
      kind: random.whole(0, 5),
      ground,
      ink: random.chance(0.25) ? -1 : Math.max(0, ground) + random.whole(1, 2),
      turn: random.whole(0, 3),
    };
  });
}
