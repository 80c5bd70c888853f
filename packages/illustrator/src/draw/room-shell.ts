import { mix, shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, polygon, range, short, smooth, star } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Time } from "../air.ts";
import { rollingRidge } from "./land.ts";
import type { Stage } from "./stage.ts";

/** The colours of a room. */
export interface Decor {
  readonly wall: Colour;
  readonly panel: Colour;
  readonly floor: Colour;
  readonly wood: Colour;
  readonly cloth: Colour;
  readonly accent: Colour;
}

/** Colour schemes of warm, quiet rooms; each place uses one of them. */
export const decors: readonly Decor[] = [
  {
    wall: "#e9d8b8",
    panel: "#d3b98f",
    floor: "#b98a5c",
    wood: "#8f6240",
    cloth: "#b5533f",
    accent: "#3f7f7a",
  },
  {
    wall: "#c5d3c8",
    panel: "#a3b8a8",
    floor: "#b8906a",
    wood: "#7d5a40",
    cloth: "#c98a4a",
    accent: "#c8604f",
  },
  {
    wall: "#d9c9d3",
    panel: "#b9a3b5",
    floor: "#a98260",
    wood: "#75503f",
    cloth: "#6f6aa0",
    accent: "#d9a04a",
  },
  {
    wall: "#e8c9a8",
    panel: "#cf9f78",
    floor: "#a3704a",
    wood: "#7a4a33",
    cloth: "#3f6f83",
    accent: "#c8443c",
  },
  {
    wall: "#b9cbd6",
    panel: "#93aab9",
    floor: "#bf9a72",
    wood: "#86624a",
    cloth: "#d9826a",
    accent: "#e0b04f",
  },
  {
    wall: "#8fa8a0",
    panel: "#6f8a84",
    floor: "#9a7450",
    wood: "#64483a",
    cloth: "#d9b25f",
    accent: "#c8604f",
  },
];

/** Draws wall, skirting and floor; the floor starts at `stage.horizon`. */
export function drawShell(
  stage: Stage,
  decor: Decor,
  boards: "planks" | "tiles" | "flags",
): string {
  const { pen, width, height, horizon } = stage;
  const random = stage.random.fork("shell");
  const parts = [
    pen.fill(
      box(-4, -4, width + 8, horizon + 8),
      pen.linear([
        [0, shade(decor.wall, -0.07)],
        [0.55, decor.wall],
        [1, shade(decor.wall, -0.02)],
      ]),
    ),
  ];
  const stripes = random.chance(0.5);
  if (stripes)
    parts.push(
      pen.fill(
        range(Math.ceil(width / 64))
          .map((index) => box(index * 64, -4, 26, horizon))
          .join(""),
        shade(decor.wall, 0.035),
        0.6,
      ),
    );
  else
    parts.push(
      pen.fill(
        range(70)
          .map((index) =>
            star(
              ((index % 10) + (Math.floor(index / 10) % 2) * 0.5) * (width / 9.5),
              40 + Math.floor(index / 10) * 78,
              6,
              2,
              4,
            ),
          )
          .join(""),
        shade(decor.wall, 0.06),
        0.6,
      ),
    );
  const panelTop = horizon - height * 0.17;
  parts.push(
    pen.fill(box(-4, panelTop, width + 8, horizon - panelTop), decor.panel),
    pen.fill(box(-4, panelTop - 6, width + 8, 11), shade(decor.panel, 0.07)),
    pen.line(
      range(Math.ceil(width / 88))
        .map((index) => `M${index * 88 + 40} ${short(panelTop + 18)}V${short(horizon - 22)}`)
        .join(""),
      shade(decor.panel, -0.07),
      2.4,
      0.7,
    ),
    pen.fill(box(-4, horizon - 15, width + 8, 17), shade(decor.wood, 0.08)),
  );
  parts.push(
    pen.fill(
      box(-4, horizon, width + 8, height - horizon + 8),
      pen.linear([
        [0, shade(decor.floor, -0.08)],
        [1, shade(decor.floor, 0.03)],
      ]),
    ),
  );
  const depth = height - horizon;
  const lines: string[] = [];
  for (const index of range(boards === "planks" ? 17 : 13)) {
    const x = ((index - 1) / (boards === "planks" ? 15 : 11)) * width;
    lines.push(
      `M${short(width / 2 + (x - width / 2) * 0.72)} ${short(horizon)}L${short(width / 2 + (x - width / 2) * 1.7)} ${short(height + 4)}`,
    );
  }
  if (boards === "planks")
    for (const _ of range(14))
      lines.push(
        `M${short(random.between(0, width))} ${short(horizon + depth * random.next())}h${short(random.between(26, 70))}`,
      );
  else
    for (const index of range(6))
      lines.push(`M-4 ${short(horizon + depth * (index / 6) ** 1.5)}H${short(width + 4)}`);
  parts.push(pen.line(lines.join(""), shade(decor.floor, -0.1), 1.8, 0.55));
  return parts.join("");
}

/** A window with a view and curtains; (x, y) is the middle of its sill. */
export function drawWindow(
  stage: Stage,
  decor: Decor,
  time: Time,
  x: number,
  y: number,
  w: number,
  h: number,
): string {
  const { pen, air, ground } = stage;
  const left = x - w / 2;
  const top = y - h;
  const opening = `M${short(left)} ${short(y)}V${short(top + w * 0.3)}A${short(w / 2)} ${short(w * 0.3)} 0 0 1 ${short(left + w)} ${short(top + w * 0.3)}V${short(y)}Z`;
  const random = stage.random.fork("window view");
  const ridge = (level: number, swing: number): string => {
    const line = rollingRidge(random, w, y - h * level, h * swing);
    const points: Point[] = range(8).map((index) => [
      left + (index / 7) * w,
      line((index / 7) * w),
    ]);
    return `${smooth(points, false)}V${short(y)}H${short(left)}Z`;
  };
  const night = time === "night" || time === "dusk";
  const sun = night
    ? pen.light(oval(left + w * 0.7, top + h * 0.28, w * 0.07), "#fdf6dc") +
      pen.light(
        range(14)
          .map(() => oval(left + random.next() * w, top + random.next() * h * 0.6, 1.5))
          .join(""),
        "#fff9e6",
        0.9,
      )
    : pen.light(oval(left + w * 0.66, top + h * 0.32, w * 0.3), pen.glow(air.sun, 0.8));
  const view =
    pen.fill(
      box(left, top, w, h),
      pen.linear(air.sky.map((colour, index) => [index / (air.sky.length - 1), colour] as const)),
    ) +
    sun +
    pen.fill(ridge(0.34, 0.14), mix(ground.cover[2], air.haze, 0.4)) +
    pen.fill(ridge(0.2, 0.1), mix(ground.cover[1], air.haze, night ? 0.5 : 0.14));
  const frame = shade(decor.wood, 0.14);
  const bars = `M${short(x)} ${short(top)}V${short(y)}M${short(left)} ${short(y - h * 0.42)}H${short(left + w)}`;
  const curtain = (side: -1 | 1): string => {
    const edge = x + side * (w * 0.62);
    const inner = x + side * w * 0.36;
    return (
      pen.fill(
        `M${short(edge + side * 12)} ${short(top - 12)}H${short(x + side * w * 0.12)}Q${short(inner)} ${short(top + h * 0.34)} ${short(inner + side * w * 0.06)} ${short(top + h * 0.62)}Q${short(edge - side * 2)} ${short(top + h * 0.7)} ${short(inner + side * w * 0.02)} ${short(y + 18)}H${short(edge + side * 16)}Z`,
        decor.cloth,
      ) +
      pen.line(
        `M${short(edge)} ${short(top)}Q${short(edge - side * 6)} ${short(top + h * 0.4)} ${short(edge)} ${short(y + 8)}M${short(inner + side * w * 0.08)} ${short(top)}Q${short(inner + side * w * 0.12)} ${short(top + h * 0.36)} ${short(inner + side * w * 0.12)} ${short(top + h * 0.56)}`,
        shade(decor.cloth, -0.1),
        2.4,
        0.7,
      ) +
      pen.fill(
        box(inner - (side === 1 ? 2 : w * 0.2 - 2), top + h * 0.61, w * 0.2, 9, 4),
        decor.accent,
      )
    );
  };
  return (
    pen.clip(opening, view) +
    pen.line(opening, frame, 11) +
    pen.line(bars, frame, 6) +
    pen.light(
      `M${short(left + w * 0.08)} ${short(y - h * 0.5)}L${short(left + w * 0.3)} ${short(top + h * 0.2)}h${short(w * 0.1)}L${short(left + w * 0.18)} ${short(y - h * 0.5)}Z`,
      "#ffffff",
      0.25,
    ) +
    pen.fill(box(left - 20, y - 3, w + 40, 13, 3), shade(frame, 0.06)) +
    curtain(-1) +
    curtain(1) +
    pen.line(
      `M${short(left - w * 0.2)} ${short(top - 12)}H${short(left + w * 1.2)}`,
      shade(decor.wood, -0.06),
      7,
    )
  );
}

/** Light that falls through the window onto the floor. */
export function drawLightBeam(stage: Stage, x: number, w: number, side: number): string {
  const { pen, height, horizon, air } = stage;
  const shift = side * w * 1.2;
  const floor: Point[] = [
    [x - w * 0.4 + shift * 0.75, horizon + (height - horizon) * 0.2],
    [x + w * 0.5 + shift * 0.75, horizon + (height - horizon) * 0.2],
    [x + w * 0.9 + shift * 1.5, height * 0.97],
    [x - w * 0.5 + shift * 1.5, height * 0.97],
  ];
  return pen.light(polygon(floor), air.sun, 0.24);
}

/** A lamp that hangs from the ceiling. */
export function drawPendant(
  stage: Stage,
  decor: Decor,
  x: number,
  drop: number,
  size: number,
  lit: boolean,
): string {
  const { pen } = stage;
  return (
    pen.light(oval(x, drop, size * 4.2), pen.glow("#ffdf9a", lit ? 0.55 : 0.26)) +
    pen.line(`M${short(x)} -4V${short(drop - size)}`, "#4a3f3a", 3) +
    pen.fill(
      `M${short(x - size)} ${short(drop)}C${short(x - size * 0.9)} ${short(drop - size * 0.8)} ${short(x - size * 0.4)} ${short(drop - size)} ${short(x)} ${short(drop - size)}C${short(x + size * 0.4)} ${short(drop - size)} ${short(x + size * 0.9)} ${short(drop - size * 0.8)} ${short(x + size)} ${short(drop)}Z`,
      decor.accent,
    ) +
    pen.light(oval(x, drop, size * 0.42, size * 0.24), "#fff3cf")
  );
}
