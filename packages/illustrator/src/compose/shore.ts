import type { Weather } from "../air.ts";
import { shade } from "../colour.ts";
import { drawCliff, drawIce, drawIsland } from "../draw/formations.ts";
import * as land from "../draw/land.ts";
import type { Ridge } from "../draw/land.ts";
import { inAir } from "../draw/stage.ts";
import type { Stage } from "../draw/stage.ts";
import { drawTownBack } from "../draw/town.ts";
import { drawFoam, drawWater } from "../draw/water.ts";
import { box } from "../geometry.ts";
import type { Landscape, Terrain } from "./landscape.ts";

/** Open water, up to the bottom of the picture or to a shore in front. */
export function layShore(landscape: Landscape, far: string): Terrain {
  const { stage, scene, has, needsShore, celestial, water } = landscape;
  const { width, height, horizon, random } = stage;
  const top = water === "lake" ? horizon + height * 0.012 : horizon;
  const bottom = height * (needsShore ? 0.78 : 1.02);
  const reflected = isClear(scene.weather) ? celestial : null;
  const surface = drawWater(stage, top, bottom + height * 0.08, reflected);
  const { markup, headland } = drawFarShore(landscape, top);
  const swing = has("harbour") ? 0 : height * 0.03;
  const near = land.rollingRidge(random.fork("shore"), width, height * 0.8, swing);
  const common = {
    sky: null,
    back: far + surface + markup,
    edge: "",
    middleOnFront: true,
    stream: null,
    headland,
  };
  if (!needsShore) {
    return {
      ...common,
      front: "",
      middle: near,
      near: () => height * 1.02,
      water: [top, height * 0.97],
    };
  }
  return {
    ...common,
    front: drawNearShore(landscape, near),
    middle: (x) => near(x) + height * 0.02,
    near,
    water: [top, near(width / 2)],
  };
}

/** Land behind or in the water: the other side of a lake, a town, an island, ice and cliffs. */
function drawFarShore(
  { stage, has, town, water, cover }: Landscape,
  top: number,
): { readonly markup: string; readonly headland: Terrain["headland"] } {
  const { width, height, random } = stage;
  const parts: string[] = [];
  if (water === "lake") {
    const ridge = land.rollingRidge(
      random.fork("far shore"),
      width,
      top - height * 0.012,
      height * 0.018,
    );
    parts.push(land.drawHill({ ...stage, height: top + 3 }, ridge, shade(cover[1], -0.07), 0.24));
  }
  if (town !== null) parts.push(drawTownBack(stage, town, true, has("neon")));
  if (has("island")) parts.push(drawIsland(stage, width * random.fork("island").between(0.3, 0.7)));
  if (has("icefield")) parts.push(drawIce(stage));
  if (!has("cliff", "harbour")) return { markup: parts.join(""), headland: null };
  const cliff = drawCliff(stage, random.fork("cliff").pick([-1, 1] as const));
  return { markup: parts.join("") + cliff.markup, headland: cliff.top };
}

/** The shore in front: stone, sand or grass, with what lies or grows on it. */
function drawNearShore({ stage, has, cover, water }: Landscape, near: Ridge): string {
  const { ground } = stage;
  const isStone = has("harbour");
  const isSand = water === "sea" && !has("icefield") && !(has("cliff") && !has("beach"));
  const sand = ground.snowy ? "#e6e3dc" : "#ecd5a3";
  const surface = isStone
    ? land.drawHill(stage, near, "#b3a595", 0.03, 0.06) + drawQuay(stage, near)
    : land.drawHill(stage, near, isSand ? sand : cover[0], 0.03, 0.05) + drawFoam(stage, near);
  if (isSand) return surface + land.drawUndergrowth(withSand(stage), near, 0, 12);
  if (isStone) return surface;
  return surface + land.drawUndergrowth(stage, near, ground.snowy ? 0 : 26, 70);
}

/** The stage with the colours of dry beach grass. */
function withSand(stage: Stage): Stage {
  return {
    ...stage,
    ground: {
      ...stage.ground,
      cover: ["#d3bb85", "#d9c28e", "#e3cf9f"],
      flowers: ["#f3ead6", "#e8b8a0", "#ffffff"],
    },
  };
}

/** Stone blocks along the shore of a harbour. */
function drawQuay(stage: Stage, ridge: Ridge): string {
  const { pen, width, height, air } = stage;
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

function isClear(weather: Weather): boolean {
  return weather === "clear" || weather === "wind";
}
