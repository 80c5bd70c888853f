import { airFor } from "../air.ts";
import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { decors, drawWindow } from "../draw/room-shell.ts";
import type { Stage } from "../draw/stage.ts";
import { box, oval, range, short } from "../geometry.ts";
import { groundFor } from "../ground.ts";
import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Scene } from "../scene.ts";
import type { Canvas } from "./canvas.ts";
import { castOf } from "./cast.ts";
import type { Actor } from "./cast.ts";
import { drawShadow } from "./shadow.ts";

/** Maximum share of the width that the things on the table fill. */
const maxOfWidth = 0.84;
/** Maximum enlargement of things compared with a room. */
const maxNear = 5;

/** Composes a still life: a close-up of things on a table, in front of a wall with a window. */
export function composeTabletop(canvas: Canvas, scene: Scene): string {
  const { pen, width, height, unit } = canvas;
  const random = createRandom(scene.seed);
  const air = airFor(scene.time, scene.weather, random.fork("air"));
  const ground = groundFor(scene.season, random.fork("ground"));
  const dim = scene.time === "night" || scene.time === "dusk";
  const edge = height * 0.64;
  const stage: Stage = {
    pen: pen.withEdge(1.6),
    width,
    height,
    horizon: edge,
    air,
    ground,
    season: scene.season,
    random: random.fork("place"),
  };
  const decor = random.fork("decor").pick(decors);
  const side = random.fork("side").pick([-1, 1] as const);
  const wood = scene.things.find(({ kind }) => kind === "table")?.colours[0] ?? decor.wood;
  const inside = {
    ...air,
    lit: dim,
    ambient: dim ? ([0.9, 0.84, 0.86] as const) : ([1, 0.985, 0.97] as const),
  };
  const things = scene.things.filter(({ kind }) => kind !== "table");
  const actors = castOf(canvas, { air: inside, ground }, things, [], random.fork("things"), false);
  const wall = pen.fill(
    box(-4, -4, width + 8, height + 8),
    pen.linear([
      [0, shade(decor.wall, 0.02)],
      [0.64, shade(decor.wall, -0.07)],
    ]),
  );
  const sill = edge - height * 0.08;
  return (
    wall +
    drawWindow(
      stage,
      decor,
      scene.time,
      width * (0.5 + side * 0.27),
      sill,
      unit * 0.34,
      sill * 0.8,
    ) +
    drawBoards(canvas, edge, wood) +
    layTable(canvas, actors, edge, random.fork("places")) +
    (dim
      ? pen.light(
          box(-4, -4, width + 8, height + 8),
          pen.radial([
            [0, "#1a1430", 0],
            [0.6, "#1a1430", 0.12],
            [1, "#1a1430", 0.42],
          ]),
        )
      : "")
  );
}

function drawBoards({ pen, width, height }: Canvas, edge: number, wood: Colour): string {
  const depth = height - edge;
  const seams = range(3).map((index) => {
    const y = edge + depth * [0.2, 0.47, 0.82][index]!;
    return `M-4 ${short(y)}H${short(width + 4)}`;
  });
  return (
    pen.fill(
      box(-4, edge, width + 8, depth + 8),
      pen.linear([
        [0, shade(wood, 0.16)],
        [1, shade(wood, 0.02)],
      ]),
    ) +
    pen.line(seams.join(""), shade(wood, -0.06), 3, 0.55) +
    pen.light(box(-4, edge, width + 8, 5), "#ffffff", 0.22) +
    pen.light(
      oval(width / 2, edge + depth * 0.5, width * 0.5, depth * 0.42),
      pen.glow("#fff3d6", 0.3),
    )
  );
}

/**
 * Puts the largest thing at the back in the middle, and the others in front of it and to the sides.
 */
function layTable(canvas: Canvas, actors: readonly Actor[], edge: number, random: Random): string {
  const { pen, width, height } = canvas;
  const { rows, near } = inRows(canvas, actors);
  const depth = height - edge;
  const parts: string[] = [];
  for (const [number, row] of rows.entries()) {
    const y = edge + depth * (rows.length === 1 ? 0.46 : [0.3, 0.72][number]!);
    let x = width / 2 - (widthOf(row) * near) / 2;
    for (const actor of fromTheMiddle(row)) {
      const half = actor.halfWidth * near;
      x += half * 1.1;
      const foot = y + random.between(-0.04, 0.04) * depth;
      parts.push(
        drawShadow(pen, x, foot, half * 1.05) +
          pen.place(actor.draw(1), x, foot, (actor.height * near) / 100),
      );
      x += half * 1.1;
    }
  }
  return parts.join("");
}

interface Rows {
  readonly rows: readonly (readonly Actor[])[];
  /** Scale relative to the size of things in a room. */
  readonly near: number;
}

/**
 * One row, because the back row is partly hidden; two if there are many things or if two rows show
 * them much larger.
 */
function inRows({ width, unit }: Canvas, actors: readonly Actor[]): Rows {
  const bySize = actors.toSorted((one, other) => other.height - one.height);
  const tallest = bySize[0]?.height ?? 1;
  const [one, two] = [bySize.length, Math.ceil(bySize.length / 2)].map((behind): Rows => {
    const rows = [bySize.slice(0, behind), bySize.slice(behind)].filter((row) => row.length > 0);
    const fits = rows.map((row) => (width * maxOfWidth) / widthOf(row));
    return { rows, near: Math.min(maxNear, (unit * 0.46) / tallest, ...fits) };
  }) as [Rows, Rows];
  const crowded = bySize.length > 4 || (bySize.length > 2 && two.near > one.near * 1.6);
  return crowded ? two : one;
}

const widthOf = (row: readonly Actor[]): number =>
  row.reduce((sum, { halfWidth }) => sum + halfWidth * 2.2, 0);

/** Orders a row from the middle outwards; things with a described side stay on that side. */
function fromTheMiddle(row: readonly Actor[]): Actor[] {
  const line: Actor[] = [];
  for (const [index, actor] of row.entries())
    if (index % 2 === 0) line.push(actor);
    else line.unshift(actor);
  return line.toSorted((one, other) => one.side - other.side);
}
