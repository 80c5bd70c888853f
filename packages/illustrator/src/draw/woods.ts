import { shade } from "../colour.ts";
import { blob, oval, range, short } from "../geometry.ts";
import type { Ridge } from "./land.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** Rows of trees, paler with distance, with sunlight between them. */
export function drawForestBack(stage: Stage, ridge: Ridge): string {
  const { pen, width, height, ground, air } = stage;
  const random = stage.random.fork("forest");
  const rows = range(3).map((row) => {
    const distance = 0.5 - row * 0.15;
    const size = height * (0.24 + row * 0.075);
    const count = Math.round((width / size) * 2.3);
    const cones: string[] = [];
    const crowns: string[] = [];
    const trunks: string[] = [];
    for (const index of range(count)) {
      const x = (index + random.between(0, 0.8)) * (width / count);
      const y = ridge(x) + height * (0.015 + row * 0.02);
      const s = size * random.between(0.75, 1.15);
      if (random.chance(0.55)) {
        const half = s * 0.2;
        cones.push(
          `M${short(x)} ${short(y - s)}L${short(x + half * 0.55)} ${short(y - s * 0.62)}H${short(x + half * 0.3)}L${short(x + half * 0.85)} ${short(y - s * 0.32)}H${short(x + half * 0.5)}L${short(x + half * 1.1)} ${short(y)}H${short(x - half * 1.1)}L${short(x - half * 0.5)} ${short(y - s * 0.32)}H${short(x - half * 0.85)}L${short(x - half * 0.3)} ${short(y - s * 0.62)}H${short(x - half * 0.55)}Z`,
        );
      } else {
        trunks.push(
          `M${short(x - s * 0.02)} ${short(y - s * 0.5)}h${short(s * 0.04)}l${short(s * 0.012)} ${short(s * 0.5)}h${short(-s * 0.064)}Z`,
        );
        crowns.push(blob(random, x, y - s * 0.64, s * 0.2, s * 0.3, 0.1, 8));
      }
    }
    const leaf = ground.foliage[row % ground.foliage.length] ?? "#5f9a5c";
    return (
      pen.fill(cones.join(""), inAir(stage, shade(ground.conifer, -0.02), distance)) +
      pen.fill(trunks.join(""), inAir(stage, "#6f5140", distance)) +
      pen.fill(crowns.join(""), inAir(stage, shade(leaf, -0.07), distance), 0.97) +
      pen.light(
        oval(width * 0.5, ridge(width / 2) - height * 0.04, width * 0.55, height * 0.12),
        pen.glow(air.haze, 0.34),
      )
    );
  });
  return rows.join("");
}

/** Bushes along the edge of the wood that cover the feet of its trees. */
export function drawThicket(stage: Stage, ridge: Ridge): string {
  const { pen, width, height, ground } = stage;
  const random = stage.random.fork("thicket");
  const tone = ground.foliage[2] ?? "#5f9a5c";
  const bushes = (count: number, lift: number, size: number): string =>
    range(count)
      .map((index) => {
        const x = ((index + random.between(0.1, 0.9)) / count) * width;
        const s = height * size * random.between(0.7, 1.25);
        return blob(random, x, ridge(x) - s * lift, s * 1.3, s, 0.1, 8);
      })
      .join("");
  return (
    pen.fill(bushes(15, 0.3, 0.035), inAir(stage, shade(tone, -0.12), 0.14)) +
    pen.fill(bushes(11, 0, 0.03), inAir(stage, shade(tone, -0.04), 0.06), 0.97)
  );
}

/** Rows of stubble on an autumn field. */
export function drawFurrows(stage: Stage, ridge: Ridge): string {
  const { pen, width, height, ground } = stage;
  const rows = range(5).map((index) => {
    const y = (x: number): number => ridge(x) + height * (0.03 + index * 0.042);
    return `M-10 ${short(y(0))}Q${short(width * 0.5)} ${short(y(width / 2) - 10)} ${short(width + 10)} ${short(y(width))}`;
  });
  return pen.line(rows.join(""), inAir(stage, shade(ground.cover[0], 0.05), 0), 2.6, 0.4);
}
