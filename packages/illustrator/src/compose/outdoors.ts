import { airFor } from "../air.ts";
import { groundFor } from "../ground.ts";
import { createRandom } from "../random.ts";
import type { Scene, Thing } from "../scene.ts";
import { celestialFor, drawFarBirds, drawSky } from "../draw/sky.ts";
import type { Stage } from "../draw/stage.ts";
import { drawFog, drawWeather } from "../draw/weather.ts";
import type { Canvas } from "./canvas.ts";
import { drawCrop, isCrop } from "./crops.ts";
import { castOf } from "./cast.ts";
import { motifsFor, woodFor } from "./motifs.ts";
import { drawShadow } from "./shadow.ts";
import { createSpots } from "./spots.ts";
import { placeActors } from "./place.ts";
import type { Placed } from "./place.ts";
import { layTerrain } from "./terrain.ts";

const isMiddle = ({ actor }: Placed): boolean => actor.zone === "middle";

const isSky = ({ actor }: Placed): boolean => actor.zone === "sky";

/** Composes a scene outdoors. */
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
    !scene.empty && scene.things.length + scene.fixtures.length + scene.figures.length === 0
      ? motifsFor(kinds, town, random.fork("motifs"))
      : [];
  const crops = [...scene.fixtures, ...scene.things].filter((thing) => isCrop(thing, kinds));
  const single = (thing: Thing): boolean => !crops.includes(thing);
  // Trees that belong to a wood stand in front of its hazy rows.
  const wood = kinds.has("forest") ? woodFor(scene.season, placeRandom.fork("wood")) : [];
  const fixtures = castOf(
    canvas,
    { air, ground },
    [...scene.fixtures.filter(single), ...wood],
    [],
    placeRandom.fork("fixtures"),
    false,
  );
  const actors = castOf(
    canvas,
    { air, ground },
    [...scene.things.map((thing) => (single(thing) ? thing : { ...thing, count: 0 })), ...motifs],
    scene.figures,
    random.fork("things"),
    motifs.length === 0,
  );
  const everyone = [...fixtures, ...actors];
  const cliff = kinds.has("cliff") || kinds.has("harbour");
  const buildings = everyone.filter(({ zone }) => zone === "middle").length;
  const needsShore =
    scene.located ||
    kinds.has("lake") ||
    kinds.has("beach") ||
    kinds.has("harbour") ||
    everyone.some(({ zone }) => zone === "near") ||
    buildings > (cliff ? 1 : 0);

  const side = placeRandom.fork("side").pick([-1, 1] as const);
  const celestial = celestialFor(stage, scene.time, side);
  const terrain = layTerrain(stage, scene, kinds, town, celestial, needsShore);
  // Things of the place come first and use the place's random source, so they keep their positions
  // in every scene.
  const spots = createSpots(width, placeRandom.fork("spots"));
  if (terrain.stream !== null) {
    const { from, to } = terrain.stream;
    spots.occupy("stream", (from + to) / 2, (to - from) / 2);
  }
  const setting = { canvas, terrain, spots, horizon, side: -side };
  const placed = [
    ...placeActors(setting, fixtures, placeRandom.fork("places")),
    ...placeActors(setting, actors, random.fork("places")),
  ];
  const shown = (test: (one: Placed) => boolean): string =>
    placed
      .filter(test)
      .sort(
        (one, other) =>
          Number(other.actor.backdrop) - Number(one.actor.backdrop) || one.y - other.y,
      )
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
    terrain.sky ?? drawSky(stage, scene.time, scene.weather, scene.sky, celestial),
    terrain.sky === null ? birds : "",
    terrain.back,
    ...(terrain.middleOnFront
      ? [
          shown((one) => isMiddle(one) && one.y < terrain.near(one.x)),
          shown(isFarWater),
          terrain.front,
          shown((one) => isMiddle(one) && one.y >= terrain.near(one.x)),
        ]
      : [middle, terrain.front]),
    scene.weather === "fog" ? drawFog(stage) : "",
    ...crops.map((crop) =>
      drawCrop(canvas, { air, ground }, terrain.near, crop, random.fork("crop")),
    ),
    shown(isSky),
    shown((one) => !isMiddle(one) && !isSky(one) && !isFarWater(one)),
    terrain.edge,
    terrain.sky === null ? drawWeather(stage, scene.weather) : "",
  ].join("");
}

function put({ pen }: Canvas, { actor, x, y, scale }: Placed, width: number): string {
  const facing = actor.faces && x > width * 0.5 ? -1 : 1;
  const shadow =
    actor.floats || actor.zone === "water"
      ? ""
      : drawShadow(
          pen,
          x + actor.halfWidth * scale * 0.12,
          y,
          actor.halfWidth * scale * (actor.kind === "person" ? 0.8 : 0.98),
        );
  return shadow + pen.place(actor.draw(facing), x, y, (actor.height * scale) / 100);
}
