import { shade } from "../colour.ts";
import { box, short } from "../geometry.ts";
import type { Weather } from "../air.ts";
import type { Scene } from "../scene.ts";
import * as land from "../draw/land.ts";
import type { Ridge } from "../draw/land.ts";
import { drawForestBack, drawFurrows, drawThicket } from "../draw/woods.ts";
import { drawCliff, drawDunes, drawIce, drawIsland, drawVolcano } from "../draw/formations.ts";
import { drawStreet, drawTownBack } from "../draw/town.ts";
import type { Celestial } from "../draw/sky.ts";
import { inAir } from "../draw/stage.ts";
import type { Stage } from "../draw/stage.ts";
import { layMoonscape, laySeabed } from "./elsewhere.ts";
import { drawFoam, drawRiver, drawWater, drawWaterfall } from "../draw/water.ts";
import type { Stream } from "../draw/water.ts";

/** A landscape in layers, and where in it things can stand. */
export interface Terrain {
  /** What is instead of the sky, where there is none; else null. */
  readonly sky: string | null;
  /** Everything behind the things in the middle distance. */
  readonly back: string;
  /** The near ground, before the things in the middle distance. */
  readonly front: string;
  /** Over all subjects' feet: grass and flowers at the bottom edge. */
  readonly edge: string;
  /** Where the feet of things in the middle distance are. */
  readonly middle: Ridge;
  /** Things in the middle distance stand on the near ground, before `front`. */
  readonly middleOnFront: boolean;
  /** Upper edge of the near ground. */
  readonly near: Ridge;
  /** Heights between which there is water, or null. */
  readonly water: readonly [top: number, bottom: number] | null;
  /** Where a river is near us, or null. */
  readonly stream: Stream | null;
  /** A raised place for one building, or null. */
  readonly headland: { readonly x: number; readonly y: number } | null;
}

function isClear(weather: Weather): boolean {
  return weather === "clear" || weather === "wind";
}

/** Lays out the land of a scene, from the far mountains to the near ground. */
export function layTerrain(
  stage: Stage,
  scene: Scene,
  kinds: ReadonlySet<string>,
  town: "city" | "village" | null,
  celestial: Celestial,
  needsShore: boolean,
): Terrain {
  const { width, height, horizon, ground, random, air } = stage;
  if (kinds.has("underwater")) return laySeabed(stage);
  if (kinds.has("space")) return layMoonscape(stage);
  const has = (...names: string[]): boolean => names.some((name) => kinds.has(name));
  const sea = has("sea", "beach", "harbour", "island", "cliff", "icefield") && !has("desert");
  const lake = has("lake") && !sea;
  const dry = has("desert");
  const parts: string[] = [];
  const cover = dry ? (["#d9a766", "#e3b877", "#ecc994"] as const) : ground.cover;
  const hot = shade("#c98a5a", 0);

  if (has("mountains", "icefield", "waterfall") || (kinds.size === 0 && town === null)) {
    const tall = Math.min(height * 0.36, width * 0.3);
    const snow = has("icefield") || ground.snowy ? 0.62 : 0.42;
    parts.push(land.drawMountains(stage, tall, 0.56, ground.mountain, snow, "far range"));
    parts.push(
      land.drawMountains(
        stage,
        tall * 0.62,
        0.34,
        shade(ground.mountain, -0.05),
        snow * 0.6,
        "near range",
      ),
    );
  }
  if (has("volcano")) parts.push(drawVolcano(stage));
  if (dry) parts.push(land.drawMountains(stage, height * 0.12, 0.5, hot, 0, "mesas"));
  if (!sea || has("island")) {
    const farRidge = land.rollingRidge(
      random.fork("far hills"),
      width,
      horizon - height * (lake ? 0.02 : 0.045),
      height * 0.06,
    );
    if (!dry) {
      parts.push(land.drawHill(stage, farRidge, cover[2], 0.42));
      if (!has("mountains"))
        parts.push(land.drawFarTrees(stage, farRidge, 22, height * 0.011, 0.45));
    }
  }
  const waterBottom = height * (needsShore ? 0.78 : 1.02);
  let headland: Terrain["headland"] = null;

  if (sea || lake) {
    const top = lake ? horizon + height * 0.012 : horizon;
    parts.push(
      drawWater(stage, top, waterBottom + height * 0.08, isClear(scene.weather) ? celestial : null),
    );
    if (lake)
      parts.push(
        land.drawHill(
          { ...stage, height: top + 3 },
          land.rollingRidge(random.fork("far shore"), width, top - height * 0.012, height * 0.018),
          shade(cover[1], -0.07),
          0.24,
        ),
      );
    if (town !== null) parts.push(drawTownBack(stage, town, true, has("neon")));
    if (has("island"))
      parts.push(drawIsland(stage, width * random.fork("island").between(0.3, 0.7)));
    if (has("icefield")) parts.push(drawIce(stage));
    if (has("cliff", "harbour")) {
      const side = random.fork("cliff").pick([-1, 1] as const);
      const cliff = drawCliff(stage, side);
      parts.push(cliff.markup);
      headland = cliff.top;
    }
    const shoreSwing = has("harbour") ? 0 : height * 0.03;
    const near = land.rollingRidge(random.fork("shore"), width, height * 0.8, shoreSwing);
    if (!needsShore) {
      return {
        sky: null,
        back: parts.join(""),
        front: "",
        edge: "",
        middle: near,
        middleOnFront: true,
        near: () => height * 1.02,
        water: [top, height * 0.97],
        stream: null,
        headland,
      };
    }
    const sand = sea && !has("icefield") && !(has("cliff") && !has("beach"));
    const stone = has("harbour");
    const tone = stone ? "#b3a595" : sand ? (ground.snowy ? "#e6e3dc" : "#ecd5a3") : cover[0];
    const front = [land.drawHill(stage, near, tone, 0.03, stone ? 0.06 : 0.05)];
    if (!stone) front.push(drawFoam(stage, near));
    if (stone) front.push(drawQuay(stage, near));
    front.push(
      sand
        ? land.drawUndergrowth(
            {
              ...stage,
              ground: {
                ...ground,
                cover: ["#d3bb85", "#d9c28e", "#e3cf9f"],
                flowers: ["#f3ead6", "#e8b8a0", "#ffffff"],
              },
            },
            near,
            0,
            12,
          )
        : stone
          ? ""
          : land.drawUndergrowth(stage, near, ground.snowy ? 0 : 26, 70),
    );
    return {
      sky: null,
      back: parts.join(""),
      front: front.join(""),
      edge: "",
      middle: (x) => near(x) + height * 0.02,
      middleOnFront: true,
      near,
      water: [top, near(width / 2)],
      stream: null,
      headland,
    };
  }

  const middleTop = horizon + height * 0.035;
  const middle = land.rollingRidge(
    random.fork("middle"),
    width,
    middleTop,
    height * (has("hills") ? 0.1 : 0.045),
  );
  const nearLevel = height * (has("forest") ? 0.72 : 0.77);
  const near = land.rollingRidge(random.fork("near"), width, nearLevel, height * 0.05);
  const paved = !ground.snowy && (town === "city" || (town === "village" && has("road", "square")));
  if (dry) parts.push(drawDunes(stage, middle));
  else if (town !== "city") {
    parts.push(land.drawHill(stage, middle, cover[1], 0.14));
    if (has("hills", "meadow") && !has("forest"))
      parts.push(land.drawFields(stage, middle, cover[1], 0.14));
  }
  if (town !== null) parts.push(drawTownBack(stage, town, false, has("neon")));
  if (has("forest")) parts.push(drawForestBack(stage, middle));
  else if (!dry && town === null)
    parts.push(land.drawFarTrees(stage, middle, 16, height * 0.02, 0.22));
  const bend = width * random.fork("bend").between(0.4, 0.62);
  if (has("waterfall"))
    parts.push(
      drawWaterfall(
        stage,
        bend,
        horizon - height * 0.14,
        middle(bend) + height * 0.04,
        width * 0.09,
      ),
    );
  let stream: Terrain["stream"] = null;
  if (has("river", "waterfall")) {
    const river = drawRiver(stage, middle(bend) + height * 0.012, bend);
    parts.push(river.markup);
    stream = river.near;
  }
  if (!paved && (has("road", "park") || town === "village"))
    parts.push(land.drawPath(stage, middle(bend) + height * 0.01, bend, ground.earth));

  const front: string[] = [];
  if (paved) front.push(drawStreet(stage, height * 0.77));
  else if (dry) front.push(land.drawHill(stage, near, cover[0], 0.02, 0.08));
  else if (!has("river", "waterfall")) {
    if (has("forest")) front.push(drawThicket(stage, near));
    front.push(land.drawHill(stage, near, cover[0], 0.02, 0.12));
    if (has("road", "park")) front.push(land.drawPath(stage, near(bend) + 2, bend, ground.earth));
    front.push(
      land.drawUndergrowth(
        stage,
        near,
        ground.snowy ? 0 : has("meadow", "park") ? 60 : has("forest") ? 18 : 30,
        95,
      ),
    );
    if (has("meadow") && !ground.snowy && scene.season === "autumn")
      front.push(drawFurrows(stage, near));
  } else {
    front.push(
      land.drawUndergrowth(
        stage,
        (x) => (Math.abs(x - bend) < width * 0.3 ? height * 1.2 : near(x)),
        24,
        60,
      ),
    );
  }
  const streetLine = height * 0.79;
  return {
    sky: null,
    back: parts.join(""),
    front: front.join(""),
    edge: paved || dry ? "" : drawEdge(stage),
    middle: paved ? () => streetLine : (x) => middle(x) + height * 0.05,
    middleOnFront: paved,
    near: paved ? () => height * 0.8 : near,
    water: has("river") ? [height * 0.8, height * 0.97] : null,
    stream,
    headland: null,
  };

  function drawQuay({ pen }: Stage, ridge: Ridge): string {
    const y = ridge(width / 2);
    const joints = Array.from(
      { length: 9 },
      (_, index) =>
        `M${Math.round((index + 0.5) * (width / 9))} ${Math.round(y + height * 0.03)}v${Math.round(height * 0.2)}`,
    ).join("");
    return (
      pen.fill(
        box(-4, y - height * 0.012, width + 8, height * 0.026),
        inAir(stage, "#c9bcaa", 0.02),
      ) +
      pen.line(joints, inAir(stage, "#9c8f80", 0.02), 2, 0.6) +
      pen.fill(box(-4, y + height * 0.014, width + 8, 5), air.cloudShade, 0.25)
    );
  }
}

/** Dark tufts in the lower corners, which frame the picture. */
function drawEdge(stage: Stage): string {
  const { pen, width, height, ground } = stage;
  const random = stage.random.fork("edge");
  const tone = inAir(stage, shade(ground.cover[0], ground.snowy ? -0.14 : -0.17), 0);
  const blades = [0, 1].flatMap((side) =>
    Array.from({ length: 15 }, (_, index) => {
      const from = side === 0 ? random.between(-0.02, 0.2) : random.between(0.8, 1.02);
      const x = from * width;
      const reach = height * (0.11 - Math.abs(from - side) * 0.3) * random.between(0.6, 1.1);
      const lean = random.between(-18, 18) + (index % 2) * 5;
      return `M${short(x - 5)} ${height + 4}Q${short(x + lean * 0.2)} ${short(height - reach * 0.6)} ${short(x + lean)} ${short(height - Math.max(8, reach))}Q${short(x + lean * 0.4 + 6)} ${short(height - reach * 0.5)} ${short(x + 6)} ${height + 4}Z`;
    }),
  );
  return pen.fill(blades.join(""), tone, 0.97);
}
