import { shade } from "../colour.ts";
import { blob, oval, polygon, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { belowRidge } from "./land.ts";
import type { Ridge } from "./land.ts";
import { inAir } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** A headland that extends into the sea from one side, with grass on rock. */
export function drawCliff(
  stage: Stage,
  side: -1 | 1,
): { markup: string; top: { x: number; y: number } } {
  const { pen, width, height, horizon, ground } = stage;
  const random = stage.random.fork("cliff face");
  const x = (share: number): number => (side === -1 ? share * width : width - share * width);
  const top = horizon - height * 0.045;
  const foot = horizon + height * 0.13;
  const rock = inAir(stage, "#9a8878", 0.1);
  const crest: Point[] = [
    [x(-0.05), top - height * 0.035],
    [x(0.1), top - height * 0.02],
    [x(0.22), top],
    [x(0.33), top + height * 0.012],
    [x(0.385), top + height * 0.035],
  ];
  const face: Point[] = [
    [x(0.4), top + height * 0.06],
    [x(0.385), horizon + height * 0.04],
    [x(0.42), horizon + height * 0.085],
    [x(0.45), foot],
    [x(0.2), foot + height * 0.03],
    [x(-0.05), foot + height * 0.05],
  ];
  const body = pen.fill(
    `${smooth(crest, false)}L${face.map(([px, py]) => `${short(px)} ${short(py)}`).join("L")}Z`,
    pen.linear([
      [0, shade(rock, 0.05)],
      [1, shade(rock, -0.07)],
    ]),
  );
  const planes = range(7).map((index) => {
    const px = x(0.02 + index * 0.052);
    const py = top + height * random.between(0.05, 0.09);
    const w = width * random.between(0.02, 0.04) * -side;
    return polygon([
      [px, py],
      [px + w, py + height * 0.03],
      [px + w * 0.7, foot - height * random.between(0, 0.03)],
      [px - w * 0.3, foot + height * 0.01],
    ]);
  });
  const grassLine: Point[] = crest.map(([px, py], index): Point => [
    px,
    py + height * (0.03 + (index % 2) * 0.018),
  ]);
  const grass = pen.fill(
    smooth([...crest, ...grassLine.toReversed()], true, 0.7),
    inAir(stage, ground.cover[1], 0.1),
  );
  const stones = range(5).map((index) =>
    blob(
      random,
      x(0.3 + index * 0.045),
      foot + height * random.between(-0.005, 0.02),
      width * random.between(0.012, 0.026),
      height * 0.014,
      0.15,
      7,
    ),
  );
  const surf = pen.light(
    range(6)
      .map((index) =>
        oval(x(0.24 + index * 0.045), foot + height * 0.018 + (index % 2) * 6, width * 0.028, 4),
      )
      .join(""),
    "#ffffff",
    0.6,
  );
  return {
    markup:
      body +
      pen.fill(planes.join(""), shade(rock, -0.08), 0.55) +
      grass +
      surf +
      pen.fill(stones.join(""), shade(rock, -0.05)),
    top: { x: x(0.19), y: top + height * 0.012 },
  };
}

/** A small island with shady palms and a sandy rim. */
export function drawIsland(stage: Stage, x: number): string {
  const { pen, width, height, horizon, ground } = stage;
  const w = width * 0.2;
  const y = horizon + height * 0.045;
  const hill = smooth(
    [
      [x - w * 0.82, y],
      [x - w * 0.5, y - height * 0.05],
      [x - w * 0.1, y - height * 0.1],
      [x + w * 0.3, y - height * 0.06],
      [x + w * 0.8, y],
    ],
    false,
  );
  const trees = range(9).map((index) =>
    oval(
      x - w * 0.55 + index * w * 0.135,
      y - height * (0.035 + Math.sin((index / 8) * Math.PI) * 0.05),
      w * 0.1,
      height * 0.026,
    ),
  );
  return (
    pen.fill(oval(x, y + 4, w * 1.06, height * 0.016), inAir(stage, "#ffffff", 0.1), 0.5) +
    pen.fill(oval(x, y, w, height * 0.014), inAir(stage, "#ecd5a3", 0.12)) +
    pen.fill(`${hill}Z`, inAir(stage, ground.cover[1], 0.2)) +
    pen.fill(trees.join(""), inAir(stage, shade(ground.foliage[0] ?? "#4f8848", -0.03), 0.2))
  );
}

/** A smoking volcano on the horizon. */
export function drawVolcano(stage: Stage): string {
  const { pen, width, height, horizon } = stage;
  const x = width * stage.random.fork("volcano").between(0.32, 0.68);
  const h = Math.min(height * 0.36, width * 0.34);
  const w = h * 1.25;
  const top = horizon - h;
  const rock = inAir(stage, "#6b5a63", 0.28);
  const smoke = range(7).map((index) =>
    oval(
      x + Math.sin(index) * h * 0.06 + index * h * 0.06,
      top - h * 0.1 * (index + 0.4),
      h * (0.08 + index * 0.022),
    ),
  );
  return (
    pen.fill(smoke.join(""), inAir(stage, "#d5cdd0", 0.25), 0.75) +
    pen.light(oval(x, top, h * 0.5), pen.glow("#ff9a4a", 0.75)) +
    pen.fill(
      `M${short(x - w)} ${short(horizon + 6)}Q${short(x - w * 0.4)} ${short(horizon - h * 0.25)} ${short(x - h * 0.16)} ${short(top)}Q${short(x)} ${short(top + h * 0.06)} ${short(x + h * 0.16)} ${short(top)}Q${short(x + w * 0.4)} ${short(horizon - h * 0.25)} ${short(x + w)} ${short(horizon + 6)}Z`,
      pen.linear([
        [0, rock],
        [1, inAir(stage, "#6b5a63", 0.6)],
      ]),
    ) +
    pen.light(
      `M${short(x - h * 0.13)} ${short(top + 3)}Q${short(x)} ${short(top + h * 0.08)} ${short(x + h * 0.13)} ${short(top + 3)}Q${short(x + h * 0.1)} ${short(top + h * 0.2)} ${short(x + h * 0.14)} ${short(top + h * 0.42)}Q${short(x + h * 0.06)} ${short(top + h * 0.3)} ${short(x + h * 0.02)} ${short(top + h * 0.2)}Q${short(x - h * 0.04)} ${short(top + h * 0.4)} ${short(x - h * 0.12)} ${short(top + h * 0.6)}Q${short(x - h * 0.1)} ${short(top + h * 0.2)} ${short(x - h * 0.13)} ${short(top + 3)}Z`,
      "#ff7a3c",
      0.95,
    )
  );
}

/** Dunes with a lit and a shaded side. */
export function drawDunes(stage: Stage, ridge: Ridge): string {
  const { pen, width, height, horizon } = stage;
  const random = stage.random.fork("dunes");
  const sand = inAir(stage, "#e3b877", 0.16);
  const parts = [
    pen.fill(
      belowRidge(stage, (x) => ridge(x) - height * 0.03),
      pen.linear([
        [0, inAir(stage, "#ecc994", 0.34)],
        [1, sand],
      ]),
    ),
  ];
  for (const index of range(4)) {
    const x = width * (0.1 + index * 0.27 + random.between(-0.06, 0.06));
    const y = horizon + height * (0.07 + index * 0.04);
    const w = width * random.between(0.24, 0.34);
    const h = height * random.between(0.06, 0.1);
    const slope: Point[] = [
      [x - w, y + h],
      [x - w * 0.45, y + h * 0.35],
      [x, y],
      [x + w * 0.5, y + h * 0.6],
      [x + w, y + h],
    ];
    parts.push(
      pen.fill(
        `${smooth(slope, false)}L${short(x + w)} ${short(height)}H${short(x - w)}Z`,
        shade(sand, 0.02 - index * 0.008),
      ),
    );
    parts.push(
      pen.fill(
        `M${short(x)} ${short(y)}Q${short(x + w * 0.3)} ${short(y + h * 0.3)} ${short(x + w * 0.5)} ${short(y + h * 0.6)}T${short(x + w)} ${short(y + h)}Q${short(x + w * 0.3)} ${short(y + h * 1.25)} ${short(x - w * 0.12)} ${short(y + h * 1.1)}Q${short(x + w * 0.16)} ${short(y + h * 0.6)} ${short(x)} ${short(y)}Z`,
        shade(sand, -0.08),
        0.8,
      ),
    );
  }
  const ripples = range(16).map(() => {
    const [rx, ry] = [random.between(0, width), random.between(horizon + height * 0.14, height)];
    return `M${short(rx)} ${short(ry)}q30 -7 60 0t60 0`;
  });
  return parts.join("") + pen.line(ripples.join(""), shade(sand, -0.05), 1.8, 0.6);
}

/** Floes and icebergs on cold water. */
export function drawIce(stage: Stage): string {
  const { pen, width, height, horizon } = stage;
  const random = stage.random.fork("ice");
  const white = inAir(stage, "#f1f6fa", 0.06);
  const blue = inAir(stage, "#b7d4e6", 0.06);
  const bergs = range(3).map((index) => {
    const x = width * (0.14 + index * 0.34 + random.between(-0.05, 0.05));
    const y = horizon + height * (0.03 + index * 0.028);
    const [w, h] = [width * random.between(0.08, 0.13), height * random.between(0.1, 0.19)];
    const peak: Point = [x - w * random.between(-0.2, 0.3), y - h];
    return (
      pen.fill(
        polygon([
          [x - w, y],
          [x - w * 0.7, y - h * 0.5],
          peak,
          [x + w * 0.4, y - h * 0.62],
          [x + w, y],
        ]),
        white,
      ) +
      pen.fill(
        polygon([
          peak,
          [x + w * 0.4, y - h * 0.62],
          [x + w, y],
          [x + w * 0.1, y],
          [x - w * 0.06, y - h * 0.45],
        ]),
        blue,
      ) +
      pen.light(oval(x, y + 4, w * 1.1, 5), "#ffffff", 0.4)
    );
  });
  const floes = range(7).map(() =>
    blob(
      random,
      random.between(0, width),
      random.between(horizon + height * 0.08, height * 0.78),
      random.between(22, 60),
      random.between(4, 9),
      0.14,
      8,
    ),
  );
  return bergs.join("") + pen.fill(floes.join(""), white, 0.92);
}
