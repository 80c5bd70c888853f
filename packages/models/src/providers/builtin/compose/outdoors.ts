import { oval } from "../geometry.ts";
import { airFor, groundFor } from "../palette.ts";
import { createRandom } from "../random.ts";
import type { Random } from "../random.ts";
import type { Scene, Thing } from "../scene.ts";
import { celestialFor, drawFarBirds, drawSky } from "../draw/sky.ts";
import type { Stage } from "../draw/stage.ts";
import { drawFog, drawWeather } from "../draw/weather.ts";
import { subjects } from "../subjects.ts";
import type { Canvas } from "./canvas.ts";
import { castOf } from "./cast.ts";
import type { Actor } from "./cast.ts";
import { createSpots } from "./spots.ts";
import type { Lane, Spots } from "./spots.ts";
import { layTerrain } from "./terrain.ts";
import type { Terrain } from "./terrain.ts";

interface Placed {
  readonly actor: Actor;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const isMiddle = ({ actor }: Placed): boolean => actor.zone === "middle";

const isSky = ({ actor }: Placed): boolean => actor.zone === "sky";

/** A scene under the sky. */
export function composeOutdoors(
  canvas: Canvas,
  scene: Scene,
  kinds: ReadonlySet<string>,
  town: "city" | "village" | null,
): string {
  const { pen, width, height } = canvas;
  const placeRandom = createRandom(scene.placeSeed);
  const random = createRandom(scene.seed);
  const air = airFor(scene.time, scene.weather, placeRandom.fork("air"));
  const ground = groundFor(scene.season, placeRandom.fork("ground"));
  const tall = height > width * 1.2;
  const horizon =
    height *
    (tall
      ? placeRandom.fork("horizon").between(0.56, 0.62)
      : placeRandom.fork("horizon").between(0.54, 0.6));
  const stage: Stage = {
    pen: pen.withEdge(1.6),
    width,
    height,
    horizon,
    air,
    ground,
    season: scene.season,
    random: placeRandom,
  };

  const motifs =
    scene.things.length + scene.fixtures.length + scene.figures.length === 0
      ? motifsFor(kinds, town, random.fork("motifs"))
      : [];
  const fixtures = castOf(
    canvas,
    { air, ground },
    scene.fixtures,
    [],
    placeRandom.fork("fixtures"),
  );
  const actors = castOf(
    canvas,
    { air, ground },
    [...scene.things, ...motifs],
    scene.figures,
    random.fork("things"),
  );
  const everyone = [...fixtures, ...actors];
  const cliff = kinds.has("cliff") || kinds.has("harbour");
  const buildings = everyone.filter(({ zone }) => zone === "middle").length;
  const needsShore =
    kinds.has("lake") ||
    kinds.has("beach") ||
    kinds.has("harbour") ||
    everyone.some(({ zone }) => zone === "near") ||
    buildings > (cliff ? 1 : 0);

  const side = placeRandom.fork("side").pick([-1, 1] as const);
  const celestial = celestialFor(stage, scene.time, side);
  const terrain = layTerrain(stage, scene, kinds, town, celestial, needsShore);
  const spots = createSpots(width, random.fork("spots"));
  const placed = [
    ...placeAll(canvas, terrain, spots, fixtures, placeRandom.fork("places"), -side, horizon),
    ...placeAll(canvas, terrain, spots, actors, random.fork("places"), -side, horizon),
  ];
  const shown = (test: (one: Placed) => boolean): string =>
    placed
      .filter(test)
      .sort((one, other) => one.y - other.y)
      .map((one) => put(canvas, one, width))
      .join("");
  const isFarWater = ({ actor, y }: Placed): boolean =>
    actor.zone === "water" && y < terrain.near(width / 2) + 4;
  const birds =
    scene.weather === "clear" && scene.time !== "night" && random.fork("birds").chance(0.5)
      ? drawFarBirds(stage, random.fork("birds").whole(3, 6))
      : "";
  const middle = shown((one) => isMiddle(one) || isFarWater(one));
  return [
    drawSky(stage, scene.time, scene.weather, scene.sky, celestial),
    birds,
    terrain.back,
    ...(terrain.middleOnFront
      ? [shown(isFarWater), terrain.front, shown(isMiddle)]
      : [middle, terrain.front]),
    scene.weather === "fog" ? drawFog(stage) : "",
    shown(isSky),
    shown((one) => !isMiddle(one) && !isSky(one) && !isFarWater(one)),
    terrain.edge,
    drawWeather(stage, scene.weather),
  ].join("");
}

function put({ pen }: Canvas, { actor, x, y, scale }: Placed, width: number): string {
  const facing = actor.faces && x > width * 0.5 ? -1 : 1;
  const shadow =
    actor.floats || actor.zone === "water"
      ? ""
      : pen.light(
          oval(
            x + actor.halfWidth * scale * 0.12,
            y,
            actor.halfWidth * scale * (actor.kind === "person" ? 0.8 : 0.98),
            Math.max(4, actor.halfWidth * scale * 0.12),
          ),
          pen.radial([
            [0, "#1c1830", 0.42],
            [0.6, "#1c1830", 0.24],
            [1, "#1c1830", 0],
          ]),
        );
  return shadow + pen.place(actor.draw(facing), x, y, (actor.height * scale) / 100);
}

function laneOf(actor: Actor): Lane {
  return actor.zone === "underwater" ? "water" : actor.zone;
}

function placeAll(
  canvas: Canvas,
  terrain: Terrain,
  spots: Spots,
  actors: readonly Actor[],
  random: Random,
  side: number,
  horizon: number,
): Placed[] {
  const { width, height } = canvas;
  const placed: Placed[] = [];
  const groups = new Map<number, number>();
  const crowd = (lane: Lane): number =>
    actors
      .filter((actor) => laneOf(actor) === lane)
      .reduce((sum, actor) => sum + actor.halfWidth * 2, 0);
  const fit = (lane: Lane): number =>
    Math.max(
      0.45,
      Math.min(1, (width * (lane === "near" ? 1.25 : 1.1)) / Math.max(1, crowd(lane))),
    );
  let headland = terrain.headland;
  let heroX: number | null = null;

  for (const actor of actors) {
    const lane = laneOf(actor);
    const chance = random.fork(`${actor.kind} ${placed.length}`);
    const third =
      heroX === null
        ? width * (0.5 + side * 0.16)
        : chance.chance(0.6)
          ? width - heroX
          : width * chance.between(0.15, 0.85);
    const near = actor.group >= 0 ? groups.get(actor.group) : undefined;
    const wanted =
      actor.kind === "person" && heroX !== null
        ? heroX + chance.pick([-1, 1]) * width * 0.14
        : near === undefined
          ? third
          : near + chance.between(-0.22, 0.22) * width;
    let scale = fit(lane);
    const isBuilding =
      actor.zone === "middle" &&
      [
        "lighthouse",
        "castle",
        "tower",
        "church",
        "house",
        "cottage",
        "windmill",
        "temple",
      ].includes(actor.kind);
    if (isBuilding && headland !== null) {
      spots.occupy(lane, headland.x, actor.halfWidth * 0.85);
      placed.push({ actor, x: headland.x, y: headland.y, scale: scale * 0.82 });
      headland = null;
      heroX ??= placed.at(-1)?.x ?? null;
      continue;
    }
    let x = spots.take(lane, wanted, actor.halfWidth * scale);
    if (actor.group >= 0 && near === undefined) groups.set(actor.group, x);
    let y: number;
    switch (lane) {
      case "middle": {
        const deep = chance.between(0, 1);
        y = terrain.middle(x) + deep * height * 0.035;
        break;
      }
      case "near": {
        const line = terrain.near(x);
        const depth =
          actor.kind === "person"
            ? chance.between(0.72, 0.8)
            : actor.important
              ? 0.78
              : chance.between(actor.height < height * 0.1 ? 0.35 : 0.42, 0.86);
        y = line + (height - line) * depth;
        if (!actor.important && actor.kind !== "person") scale *= 0.82 + depth * 0.24;
        break;
      }
      case "water": {
        const [top, bottom] = terrain.water ?? [horizon + height * 0.06, terrain.near(x)];
        const t = actor.important
          ? 0.93
          : near === undefined
            ? chance.between(0.42, 0.72)
            : chance.between(0.2, 0.85);
        y = top + (bottom - top) * t;
        scale *= actor.important ? 1 : 0.55 + t * 0.6;
        if (terrain.water === null) y = terrain.near(x) + height * 0.1;
        break;
      }
      case "sky": {
        const low = ["butterfly", "bee", "dragonfly"].includes(actor.kind);
        y = low
          ? height * chance.between(0.56, 0.8)
          : actor.kind === "bat" || actor.kind === "kite"
            ? horizon * chance.between(0.3, 0.6)
            : Math.max(horizon * chance.between(0.22, 0.5), 0);
        if (
          subjects[actor.kind]?.draw !== undefined &&
          (actor.kind === "balloon" || actor.kind === "rocket")
        )
          y = Math.max(actor.height * scale * 1.1, horizon * chance.between(0.5, 0.78));
        if (near !== undefined) scale *= chance.between(0.6, 0.95);
        break;
      }
    }
    x = Math.min(width * 0.97, Math.max(width * 0.03, x));
    heroX ??= x;
    placed.push({ actor, x, y, scale });
  }
  return placed;
}

const thing = (kind: string, count: number): Thing => ({
  kind,
  count,
  colours: [],
  size: 1,
  parts: new Map(),
  on: null,
});

/** What to put into a picture whose prompt names nothing that can be drawn. */
function motifsFor(kinds: ReadonlySet<string>, town: string | null, random: Random): Thing[] {
  if (town !== null)
    return [thing("lamppost", 2), thing(random.pick(["bicycle", "cat", "bench"]), 1)];
  if (kinds.has("sea"))
    return [
      thing(random.pick(["sailboat", "boat", "ship"]), random.whole(1, 2)),
      thing("gull", random.whole(2, 4)),
    ];
  if (kinds.has("desert")) return [thing("cactus", random.whole(2, 3)), thing("rock", 2)];
  if (kinds.has("forest"))
    return [
      thing(random.pick(["deer", "fox", "owl", "rabbit"]), 1),
      thing("mushroom", random.whole(2, 4)),
    ];
  const first = random.pick(["cottage", "windmill", "house", "tree", "blossom", "barn", "church"]);
  return [
    thing(first, 1),
    thing(random.pick(["tree", "pine", "birch", "cypress"]), random.whole(2, 4)),
    thing(random.pick(["sheep", "balloon", "bird", "bush", "flower"]), random.whole(1, 3)),
  ];
}
