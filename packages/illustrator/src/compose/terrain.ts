import { shade } from "../colour.ts";
import { drawDunes, drawVolcano } from "../draw/formations.ts";
import * as land from "../draw/land.ts";
import type { Ridge } from "../draw/land.ts";
import type { Celestial } from "../draw/celestial.ts";
import { inAir } from "../draw/stage.ts";
import type { Stage } from "../draw/stage.ts";
import { drawStreet, drawTownBack } from "../draw/town.ts";
import { drawRiver, drawWaterfall } from "../draw/water.ts";
import type { Stream } from "../draw/water.ts";
import { drawForestBack, drawFurrows, drawThicket } from "../draw/woods.ts";
import { short } from "../geometry.ts";
import type { Scene } from "../scene.ts";
import { layMoonscape, laySeabed } from "./elsewhere.ts";
import type { Landscape, Terrain } from "./landscape.ts";
import { layShore } from "./shore.ts";

/** Lays out the land of a scene, from the far mountains to the near ground. */
export function layTerrain(
  stage: Stage,
  scene: Scene,
  kinds: ReadonlySet<string>,
  town: "city" | "village" | null,
  celestial: Celestial,
  needsShore: boolean,
): Terrain {
  if (kinds.has("underwater")) return laySeabed(stage);
  if (kinds.has("space")) return layMoonscape(stage);
  const has = (...names: string[]): boolean => names.some((name) => kinds.has(name));
  const isDesert = has("desert");
  const isSea = has("sea", "beach", "harbour", "island", "cliff", "icefield") && !isDesert;
  const landscape: Landscape = {
    stage,
    scene,
    town,
    celestial,
    needsShore,
    has,
    cover: isDesert ? ["#d9a766", "#e3b877", "#ecc994"] : stage.ground.cover,
    water: isSea ? "sea" : has("lake") ? "lake" : null,
    isDesert,
    isUnspecified: kinds.size === 0 && town === null,
  };
  const far = drawFarLand(landscape);
  return landscape.water === null ? layLand(landscape, far) : layShore(landscape, far);
}

/** Mountains and hills at the horizon. */
function drawFarLand(landscape: Landscape): string {
  const { stage, has, cover, water, isDesert, isUnspecified } = landscape;
  const { width, height, horizon, ground, random } = stage;
  const parts: string[] = [];
  if (has("mountains", "icefield", "waterfall") || isUnspecified) {
    const tall = Math.min(height * 0.36, width * 0.3);
    const snow = has("icefield") || ground.snowy ? 0.62 : 0.42;
    const nearer = shade(ground.mountain, -0.05);
    parts.push(
      land.drawMountains(stage, tall, 0.56, ground.mountain, snow, "far range"),
      land.drawMountains(stage, tall * 0.62, 0.34, nearer, snow * 0.6, "near range"),
    );
  }
  if (has("volcano")) parts.push(drawVolcano(stage));
  if (isDesert) {
    const mesas = shade("#c98a5a", 0);
    parts.push(land.drawMountains(stage, height * 0.12, 0.5, mesas, 0, "mesas"));
  } else if (water !== "sea" || has("island")) {
    const ridge = land.rollingRidge(
      random.fork("far hills"),
      width,
      horizon - height * (water === "lake" ? 0.02 : 0.045),
      height * 0.06,
    );
    parts.push(land.drawHill(stage, ridge, cover[2], 0.42));
    if (!has("mountains")) parts.push(land.drawFarTrees(stage, ridge, 22, height * 0.011, 0.45));
  }
  return parts.join("");
}

/** Land without open water: fields, forest, desert or a town, with a river or a road. */
function layLand(landscape: Landscape, far: string): Terrain {
  const { stage, has, town, isDesert } = landscape;
  const { width, height, horizon, ground, random } = stage;
  const middle = land.rollingRidge(
    random.fork("middle"),
    width,
    horizon + height * 0.035,
    height * (has("hills") ? 0.1 : 0.045),
  );
  const nearLevel = height * (has("forest") ? 0.72 : 0.77);
  const near = land.rollingRidge(random.fork("near"), width, nearLevel, height * 0.05);
  const bend = width * random.fork("bend").between(0.4, 0.62);
  const isPaved =
    !ground.snowy && (town === "city" || (town === "village" && has("road", "square")));
  const back = far + drawMiddle(landscape, middle);
  const courses = drawCourses(landscape, middle, bend, isPaved);
  const front = isPaved ? drawStreet(stage, height * 0.77) : drawNearLand(landscape, near, bend);
  return {
    sky: null,
    back: back + courses.markup,
    front,
    edge: isPaved || isDesert ? "" : drawEdge(stage),
    middle: isPaved ? () => height * 0.79 : (x) => middle(x) + height * 0.05,
    middleOnFront: isPaved,
    near: isPaved ? () => height * 0.8 : near,
    water: has("river") ? [height * 0.8, height * 0.97] : null,
    stream: courses.stream,
    headland: null,
  };
}

/** The land in the middle distance, with its fields, houses and trees. */
function drawMiddle({ stage, has, town, cover, isDesert }: Landscape, middle: Ridge): string {
  const { height } = stage;
  const parts: string[] = [];
  if (isDesert) parts.push(drawDunes(stage, middle));
  else if (town !== "city") {
    parts.push(land.drawHill(stage, middle, cover[1], 0.14));
    if (has("hills", "meadow") && !has("forest"))
      parts.push(land.drawFields(stage, middle, cover[1], 0.14));
  }
  if (town !== null) parts.push(drawTownBack(stage, town, false, has("neon")));
  if (has("forest")) parts.push(drawForestBack(stage, middle));
  else if (!isDesert && town === null)
    parts.push(land.drawFarTrees(stage, middle, 16, height * 0.02, 0.22));
  return parts.join("");
}

/** The waterfall, river and path that run through the land at its bend. */
function drawCourses(
  { stage, has, town }: Landscape,
  middle: Ridge,
  bend: number,
  isPaved: boolean,
): { readonly markup: string; readonly stream: Stream | null } {
  const { width, height, horizon, ground } = stage;
  const parts: string[] = [];
  if (has("waterfall")) {
    const top = horizon - height * 0.14;
    parts.push(drawWaterfall(stage, bend, top, middle(bend) + height * 0.04, width * 0.09));
  }
  const river = has("river", "waterfall")
    ? drawRiver(stage, middle(bend) + height * 0.012, bend)
    : null;
  if (river !== null) parts.push(river.markup);
  if (!isPaved && (has("road", "park") || town === "village"))
    parts.push(land.drawPath(stage, middle(bend) + height * 0.01, bend, ground.earth));
  return { markup: parts.join(""), stream: river?.near ?? null };
}

/** The unpaved near ground; on both sides of a river only its plants. */
function drawNearLand(
  { stage, scene, has, cover, isDesert }: Landscape,
  near: Ridge,
  bend: number,
): string {
  const { width, height, ground } = stage;
  if (isDesert) return land.drawHill(stage, near, cover[0], 0.02, 0.08);
  if (has("river", "waterfall")) {
    const banks: Ridge = (x) => (Math.abs(x - bend) < width * 0.3 ? height * 1.2 : near(x));
    return land.drawUndergrowth(stage, banks, 24, 60);
  }
  const parts: string[] = [];
  if (has("forest")) parts.push(drawThicket(stage, near));
  parts.push(land.drawHill(stage, near, cover[0], 0.02, 0.12));
  if (has("road", "park")) parts.push(land.drawPath(stage, near(bend) + 2, bend, ground.earth));
  parts.push(land.drawUndergrowth(stage, near, flowersOf(ground.snowy, has), 95));
  if (has("meadow") && !ground.snowy && scene.season === "autumn")
    parts.push(drawFurrows(stage, near));
  return parts.join("");
}

function flowersOf(isSnowy: boolean, has: Landscape["has"]): number {
  if (isSnowy) return 0;
  if (has("meadow", "park")) return 60;
  return has("forest") ? 18 : 30;
}

/** Dark tufts in the lower corners that frame the picture. */
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
