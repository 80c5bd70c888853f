import { box } from "../geometry.ts";
import { airFor } from "../air.ts";
import { groundFor } from "../ground.ts";
import { tableThings } from "../habitats.ts";
import { createRandom } from "../random.ts";
import type { Place, Scene, Thing } from "../scene.ts";
import { drawCaveShell, drawCockpitShell } from "../draw/strange-rooms.ts";
import type { Stage } from "../draw/stage.ts";
import { subjects } from "../subjects.ts";
import type { Canvas } from "./canvas.ts";
import { castOf } from "./cast.ts";
import { arrange, furnish, seatIn } from "./furnish.ts";
import { standInRoom } from "./stand.ts";

const table: Thing = {
  family: "object",
  kind: "table",
  count: 1,
  colours: [],
  size: 1,
  side: 0,
  flying: false,
  parts: new Map(),
};

/** True if some things belong on a table and there is no table. */
function needsTable(things: readonly Thing[]): boolean {
  return (
    things.some(({ kind }) => tableThings.has(kind)) && things.every(({ kind }) => kind !== "table")
  );
}

const indoors = (kind: string): boolean => subjects[kind]?.indoors === true;

/** Composes an indoor scene: the room from the place's seed, and the action in front of it. */
export function composeRoom(
  canvas: Canvas,
  scene: Scene,
  { room, colour, onFurniture }: Extract<Place, { kind: "room" }>,
): string {
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
  // Indoor lamps are on: people are lit warmly, and a little less at night.
  const inside = {
    ...outdoorsAir,
    lit: dim || scene.time === "sunset",
    ambient: dim ? ([0.88, 0.82, 0.84] as const) : ([1, 0.985, 0.97] as const),
  };

  const taken = new Set(scene.things.map(({ kind }) => kind));
  const arrangement = arrange(canvas, stage, room, colour, taken);
  const bare = room === "cave" || room === "cockpit";
  const shell =
    room === "cave"
      ? drawCaveShell(stage)
      : room === "cockpit"
        ? drawCockpitShell(stage)
        : furnish(canvas, stage, scene, room, arrangement, inside.lit);
  const { cloth, accent } = arrangement.decor;
  const things = scene.things.map((thing) => {
    if (!indoors(thing.kind)) return { ...thing, count: 0 };
    if (thing.kind !== "sofa") return thing;
    const said = scene.located ? undefined : thing.colours[0];
    return { ...thing, colours: [said ?? cloth, accent] };
  });
  const surroundings = { air: inside, ground: { ...ground, snowy: false } };
  const indoorFixtures = scene.fixtures.filter(({ kind }) => indoors(kind));
  const seat = onFurniture && !bare ? seatIn(arrangement, floorLine) : null;
  // Decided from the place alone, so that a described place has its table in every scene or in no
  // scene.
  if (scene.located && needsTable(indoorFixtures)) indoorFixtures.push(table);
  else if (!scene.located && seat === null && needsTable(things)) things.push(table);
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
      seat,
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
