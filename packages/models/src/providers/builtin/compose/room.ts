import { shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { airFor } from "../air.ts";
import { groundFor } from "../ground.ts";
import { createRandom } from "../random.ts";
import type { Scene } from "../scene.ts";
import * as furniture from "../draw/furniture.ts";
import * as workFurniture from "../draw/work-furniture.ts";
import type { Furniture } from "../draw/furniture.ts";
import { decors, drawLightBeam, drawPendant, drawShell, drawWindow } from "../draw/room-shell.ts";
import { drawCaveShell, drawCockpitShell } from "../draw/strange-rooms.ts";
import type { Stage } from "../draw/stage.ts";
import { subjects } from "../subjects.ts";
import type { Canvas } from "./canvas.ts";
import { castOf } from "./cast.ts";
import { standInRoom } from "./stand.ts";

interface Furnishing {
  /** Furniture from the sides inwards; the window takes what is left. */
  readonly pieces: readonly Furniture[];
  readonly floor: "planks" | "tiles" | "flags";
  readonly rug: boolean;
}

const { bookcase, bed, sofa, fireplace, throne, potPlant, cafeTable } = furniture;
const { stove, counter, blackboard, workbench, desk, bar, trunks } = workFurniture;
const furnishings: Readonly<Record<string, Furnishing>> = {
  kitchen: { pieces: [stove, counter], floor: "tiles", rug: false },
  library: { pieces: [bookcase, bookcase], floor: "planks", rug: true },
  livingroom: { pieces: [sofa, fireplace], floor: "planks", rug: true },
  bedroom: { pieces: [bed, bookcase], floor: "planks", rug: true },
  cafe: { pieces: [bar, cafeTable], floor: "tiles", rug: false },
  classroom: { pieces: [blackboard, bookcase], floor: "planks", rug: false },
  workshop: { pieces: [workbench, trunks], floor: "flags", rug: false },
  hall: { pieces: [throne], floor: "flags", rug: true },
  attic: { pieces: [trunks, bookcase], floor: "planks", rug: false },
  study: { pieces: [desk, bookcase], floor: "planks", rug: true },
  room: { pieces: [sofa, potPlant], floor: "planks", rug: true },
};

const indoors = (kind: string): boolean => subjects[kind]?.indoors === true;

/** A scene in a room: the room from the place's seed, what happens in it before it. */
export function composeRoom(canvas: Canvas, scene: Scene, room: string): string {
  const { pen, width, height } = canvas;
  const placeRandom = createRandom(scene.placeSeed);
  const random = createRandom(scene.seed);
  const outdoorsAir = airFor(scene.time, scene.weather, placeRandom.fork("air"));
  const ground = groundFor(scene.season, placeRandom.fork("ground"));
  const dim = scene.time === "night" || scene.time === "dusk";
  const floorLine = height * (height > width ? 0.72 : 0.69);
  const stage: Stage = {
    pen: pen.withEdge(1.6),
    width,
    height,
    horizon: floorLine,
    air: outdoorsAir,
    ground,
    season: scene.season,
    random: placeRandom,
  };
  // Lamps are on inside: people are seen in a warm light, a little less of it at night.
  const inside = {
    ...outdoorsAir,
    lit: dim || scene.time === "sunset",
    ambient: dim ? ([0.88, 0.82, 0.84] as const) : ([1, 0.985, 0.97] as const),
  };

  const shell =
    room === "cave"
      ? drawCaveShell(stage)
      : room === "cockpit"
        ? drawCockpitShell(stage)
        : furnish(canvas, stage, scene, room, inside.lit);
  const things = scene.things.map((thing) =>
    indoors(thing.kind) ? thing : { ...thing, count: 0 },
  );
  const surroundings = { air: inside, ground: { ...ground, snowy: false } };
  const indoorFixtures = scene.fixtures.filter(({ kind }) => indoors(kind));
  const fixtures = castOf(
    canvas,
    surroundings,
    indoorFixtures,
    [],
    placeRandom.fork("fixtures"),
    false,
  );
  const actors = castOf(canvas, surroundings, things, scene.figures, random.fork("things"), false);
  return (
    shell +
    standInRoom(
      canvas,
      fixtures,
      actors,
      floorLine,
      placeRandom.fork("places"),
      random.fork("places"),
    ) +
    (dim
      ? pen.light(
          box(-4, -4, width + 8, height + 8),
          pen.radial([
            [0, "#1a1430", 0.02],
            [0.6, "#1a1430", 0.12],
            [1, "#1a1430", 0.4],
          ]),
        )
      : "")
  );
}

function furnish(canvas: Canvas, stage: Stage, scene: Scene, room: string, lit: boolean): string {
  const { width, height, unit } = canvas;
  const { pen, horizon: floorLine } = stage;
  const random = stage.random.fork(`room ${room}`);
  const decor = random.pick(decors);
  const { pieces, floor, rug } = furnishings[room] ?? furnishings["room"]!;
  const order = random.chance(0.5) ? pieces : pieces.toReversed();
  const scale = (unit / 1024) * (width < height ? 0.85 : 1);
  const spots =
    room === "hall"
      ? [0.5]
      : [width < height * 0.8 ? 0.2 : 0.19, width < height * 0.8 ? 0.84 : 0.82];
  const parts = [drawShell(stage, decor, floor)];
  const windowX = room === "hall" ? width * 0.12 : width * 0.5;
  const [w, h] = [unit * 0.21, unit * 0.27];
  const sill = floorLine - height * 0.2;
  if (room !== "hall") parts.push(drawWindow(stage, decor, scene.time, windowX, sill, w, h));
  else
    for (const at of [0.13, 0.87])
      parts.push(drawWindow(stage, decor, scene.time, width * at, sill, w * 0.7, h * 1.1));
  for (const [index, piece] of order.entries()) {
    const x = width * (spots[index] ?? 0.5);
    parts.push(
      pen.light(
        oval(x, floorLine + 12, 210 * scale, 16 * scale),
        pen.radial([
          [0, "#1c1830", 0.4],
          [1, "#1c1830", 0],
        ]),
      ),
      pen.place(piece(pen, decor, random.fork(`piece ${index}`), lit), x, floorLine + 10, scale),
    );
  }
  if (width > height * 1.3)
    parts.push(
      pen.place(potPlant(pen, decor, random, lit), width * 0.655, floorLine + 12, scale * 0.9),
    );
  if (rug) {
    const y = floorLine + (height - floorLine) * 0.56;
    parts.push(
      pen.fill(oval(width * 0.5, y, width * 0.36, (height - floorLine) * 0.3), decor.cloth),
      pen.line(
        oval(width * 0.5, y, width * 0.33, (height - floorLine) * 0.265),
        shade(decor.cloth, 0.16),
        5,
        0.8,
      ),
      pen.line(
        oval(width * 0.5, y, width * 0.27, (height - floorLine) * 0.21),
        decor.accent,
        7,
        0.7,
      ),
    );
  }
  if (room === "attic")
    parts.push(
      pen.fill(
        `M-4 -4H${short(width * 0.42)}L-4 ${short(height * 0.42)}ZM${short(width + 4)} -4H${short(width * 0.58)}L${short(width + 4)} ${short(height * 0.42)}Z`,
        shade(decor.wood, -0.04),
      ),
      pen.line(
        range(4)
          .map(
            (index) =>
              `M${short(width * 0.1 * (index + 0.6))} -4L-4 ${short(height * 0.1 * (index + 0.6))}M${short(width * (1 - 0.1 * (index + 0.6)))} -4L${short(width + 4)} ${short(height * 0.1 * (index + 0.6))}`,
          )
          .join(""),
        shade(decor.wood, -0.12),
        6,
      ),
    );
  if (room === "hall")
    parts.push(
      pen.fill(
        range(2)
          .map((index) => box(width * (0.02 + index * 0.9) - 4, -4, width * 0.06, floorLine + 12))
          .join(""),
        shade(decor.wall, -0.12),
      ),
    );
  if (["kitchen", "cafe", "study", "room"].includes(room))
    for (const at of room === "cafe" ? [0.24, 0.5, 0.76] : [0.5])
      parts.push(drawPendant(stage, decor, width * at, height * 0.11, unit * 0.05, lit));
  if (scene.time === "day" || scene.time === "dawn" || scene.time === "sunset")
    parts.push(drawLightBeam(stage, windowX, w, random.pick([-1, 1])));
  return parts.join("");
}
