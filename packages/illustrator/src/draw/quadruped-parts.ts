import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { blob, limb, oval, polygon, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";
import type { Build } from "./quadruped-build.ts";

/** One leg with its foot. */
export function drawLeg(
  { pen }: Brush,
  build: Build,
  x: number,
  swing: number,
  tone: Colour,
  hind: boolean,
): string {
  const top = -build.leg - build.depth * 0.34;
  const w = build.legWidth;
  const knee: Point = [x + (hind ? -w * 0.35 : w * 0.1) + swing * 0.4, -build.leg * 0.5];
  const foot: Point = [x + swing, -w * 0.3];
  const thigh = pen.fill(
    limb([x + (hind ? w * 0.3 : 0), top], w * (hind ? 2 : 1.5), knee, w * 1.02),
    tone,
  );
  const shin = tube(
    pen,
    `M${short(knee[0])} ${short(knee[1])}L${short(foot[0])} ${short(foot[1])}`,
    build.marks === "socks" ? shade(tone, -0.24) : tone,
    w * 0.92,
  );
  const end = build.hoofs
    ? pen.fill(
        polygon([
          [foot[0] - w * 0.52, -w * 0.75],
          [foot[0] + w * 0.5, -w * 0.75],
          [foot[0] + w * 0.78, 0],
          [foot[0] - w * 0.56, 0],
        ]),
        "#4a3d38",
      )
    : pen.fill(
        oval(foot[0] + w * 0.28, -w * 0.36, w * 0.78, w * 0.42),
        build.marks === "socks" ? shade(tone, -0.26) : shade(tone, -0.03),
      );
  return thigh + shin + end;
}

/** An ear; two calls make the pair. */
export function drawEars(
  { pen }: Brush,
  build: Build,
  head: Point,
  tone: Colour,
  shift: number,
): string {
  const s = build.headWidth[0];
  const [x, y] = [head[0] + shift - s * 0.1, head[1] - s * 0.3];
  switch (build.ears) {
    case "pointed":
      return (
        pen.fill(
          `M${short(x - s * 0.3)} ${short(y)}L${short(x - s * 0.12)} ${short(y - s * 0.78)}L${short(x + s * 0.28)} ${short(y - s * 0.06)}Z`,
          tone,
        ) +
        (shift > 0
          ? pen.fill(
              `M${short(x - s * 0.12)} ${short(y - s * 0.1)}L${short(x - s * 0.08)} ${short(y - s * 0.52)}L${short(x + s * 0.13)} ${short(y - s * 0.1)}Z`,
              "#4a3230",
              0.55,
            )
          : "")
      );
    case "floppy":
      return shift > 0
        ? pen.fill(
            smooth([
              [x - s * 0.2, y - s * 0.1],
              [x + s * 0.12, y - s * 0.05],
              [x + s * 0.06, y + s * 0.5],
              [x - s * 0.2, y + s * 0.76],
              [x - s * 0.42, y + s * 0.4],
            ]),
            shade(tone, -0.1),
          )
        : "";
    case "round":
      return (
        pen.fill(oval(x - s * 0.05, y - s * 0.12, s * 0.25), tone) +
        (shift > 0 ? pen.fill(oval(x - s * 0.03, y - s * 0.1, s * 0.13), shade(tone, -0.14)) : "")
      );
    case "long":
      return pen.fill(
        smooth([
          [x - s * 0.14, y],
          [x - s * 0.36, y - s * 0.8],
          [x - s * 0.1, y - s * 1.3],
          [x + s * 0.14, y - s * 0.7],
          [x + s * 0.12, y],
        ]),
        tone,
      );
    case "leaf":
    default:
      return pen.fill(
        smooth([
          [x - s * 0.05, y + s * 0.06],
          [x - s * 0.5, y - s * 0.26],
          [x - s * 0.84, y - s * 0.12],
          [x - s * 0.45, y + s * 0.16],
        ]),
        tone,
      );
  }
}

/** The tail, from its root. */
export function drawTail(
  { pen }: Brush,
  build: Build,
  coat: Colour,
  tipColour: Colour,
  [x, y]: Point,
): string {
  const d = build.depth;
  switch (build.tail) {
    case "brush":
      return (
        pen.fill(
          smooth([
            [x + 3, y - 2],
            [x - d * 0.6, y - d * 0.2],
            [x - d * 1.35, y + d * 0.1],
            [x - d * 1.75, y + d * 0.6],
            [x - d * 1.2, y + d * 0.68],
            [x - d * 0.5, y + d * 0.42],
            [x + 3, y + d * 0.28],
          ]),
          coat,
        ) +
        pen.fill(
          smooth([
            [x - d * 1.36, y + d * 0.14],
            [x - d * 1.75, y + d * 0.6],
            [x - d * 1.22, y + d * 0.66],
            [x - d * 1.26, y + d * 0.44],
          ]),
          tipColour,
        )
      );
    case "tassel":
      return (
        tube(
          pen,
          `M${x} ${short(y)}Q${short(x - d * 0.3)} ${short(y + d * 0.2)} ${short(x - d * 0.24)} ${short(y + d * 1.05)}`,
          coat,
          2.6,
        ) + pen.fill(oval(x - d * 0.24, y + d * 1.16, 3.4, 6.6), shade(coat, -0.22))
      );
    case "hair":
      return pen.fill(
        smooth([
          [x + 4, y - 3],
          [x - d * 0.34, y + d * 0.1],
          [x - d * 0.6, y + d * 0.9],
          [x - d * 0.42, y + d * 1.6],
          [x - d * 0.16, y + d * 1.1],
          [x + 2, y + d * 0.3],
        ]),
        shade(coat, -0.22),
      );
    case "curl":
      return pen.line(`M${x + 2} ${short(y)}q-9 -3 -7 -9q4 -5 7 0q1 5 -7 5`, coat, 2.6);
    case "stub":
      return pen.fill(oval(x + 1, y + 1, d * 0.17, d * 0.2), coat);
    case "whip":
      return tube(
        pen,
        `M${x + 2} ${short(y)}Q${short(x - d * 0.6)} ${short(y + d * 0.4)} ${short(x - d * 0.7)} ${short(y + d * 0.9)}T${short(x - d * 1.15)} ${short(y + d * 1.05)}`,
        coat,
        d * 0.15,
      );
    case "wag":
    default:
      return tube(
        pen,
        `M${x + 3} ${short(y + 2)}Q${short(x - d * 0.5)} ${short(y - d * 0.06)} ${short(x - d * 0.62)} ${short(y - d * 0.72)}`,
        coat,
        d * 0.22,
      );
  }
}

/** Stripes, spots or patches of the coat. */
export function drawMarks({ pen, random }: Brush, build: Build, coat: Colour, top: number): string {
  const { length, depth } = build;
  const dark = "#3a302e";
  switch (build.marks) {
    case "stripes":
      return pen.fill(
        range(9)
          .map((index) => {
            const x = -length * 0.46 + index * length * 0.115;
            return `M${short(x)} ${short(top - 2)}Q${short(x + 5)} ${short(top + depth * 0.4)} ${short(x - 2)} ${short(top + depth * 0.78)}Q${short(x + 9)} ${short(top + depth * 0.4)} ${short(x + 5)} ${short(top - 2)}Z`;
          })
          .join(""),
        dark,
        0.92,
      );
    case "spots":
      return pen.fill(
        range(26)
          .map(() =>
            blob(
              random,
              random.between(-0.5, 0.5) * length,
              top + random.between(0.04, 0.95) * depth,
              4.4,
              4,
              0.16,
              7,
            ),
          )
          .join(""),
        shade(coat, -0.17),
        0.95,
      );
    case "patches":
      return pen.fill(
        blob(random, -length * 0.26, top + depth * 0.26, length * 0.19, depth * 0.34, 0.18, 8) +
          blob(random, length * 0.2, top + depth * 0.36, length * 0.15, depth * 0.3, 0.18, 8) +
          blob(random, length * 0.44, top + depth * 0.2, length * 0.1, depth * 0.3, 0.18, 8),
        coat === "#f3eee4" ? "#4a4040" : "#f3eee4",
        0.96,
      );
    case "none":
    case "fleece":
    case "socks":
    default:
      return "";
  }
}

/** Mane, antlers or horns on head, neck and back. */
export function drawCrest(
  brush: Brush,
  build: Build,
  head: Point,
  coat: Colour,
  withers: Point,
): string {
  const { pen } = brush;
  const s = build.headWidth[0];
  const [x, y] = head;
  switch (build.crest) {
    case "mane": {
      const hair = shade(coat, coat === "#f5f2ea" ? -0.1 : -0.2);
      return pen.fill(
        smooth([
          [x + s * 0.12, y - s * 0.56],
          [x - s * 0.5, y - s * 0.34],
          [x - s * 0.78, y + s * 0.5],
          [withers[0] - s * 0.5, withers[1] - s * 0.25],
          [withers[0] + s * 0.02, withers[1] - s * 0.1],
          [x - s * 0.02, y],
        ]),
        hair,
      );
    }
    case "ruff": {
      const hair = shade(coat, -0.17);
      const locks = range(14).map((index) => {
        const angle = (index / 14) * Math.PI * 2;
        return oval(
          x - s * 0.16 + Math.cos(angle) * s * 0.62,
          y + s * 0.14 + Math.sin(angle) * s * 0.68,
          s * 0.34,
        );
      });
      return pen.fill(locks.join("") + oval(x - s * 0.16, y + s * 0.14, s * 0.72, s * 0.78), hair);
    }
    case "antlers":
      return pen.line(
        `M${short(x - 2)} ${short(y - s * 0.3)}q${short(-s * 0.5)} ${short(-s * 0.7)} ${short(-s * 0.1)} ${short(-s * 1.6)}m${short(-s * 0.22)} ${short(s * 0.8)}q${short(-s * 0.5)} ${short(-s * 0.1)} ${short(-s * 0.62)} ${short(-s * 0.6)}m${short(s * 0.7)} ${short(s * 0.1)}q${short(s * 0.4)} ${short(-s * 0.2)} ${short(s * 0.44)} ${short(-s * 0.56)}M${short(x + 2)} ${short(y - s * 0.3)}q${short(s * 0.3)} ${short(-s * 0.5)} ${short(s * 0.8)} ${short(-s * 1.3)}m${short(-s * 0.44)} ${short(s * 0.62)}q${short(-s * 0.2)} ${short(-s * 0.3)} ${short(-s * 0.05)} ${short(-s * 0.7)}m${short(s * 0.3)} ${short(s * 0.36)}q${short(s * 0.3)} ${short(0)} ${short(s * 0.5)} ${short(-s * 0.26)}`,
        "#8a6a4c",
        2.3,
      );
    case "horns":
      return pen.line(
        `M${short(x - s * 0.1)} ${short(y - s * 0.42)}q${short(-s * 0.3)} ${short(-s * 0.3)} ${short(-s * 0.1)} ${short(-s * 0.56)}M${short(x + s * 0.2)} ${short(y - s * 0.4)}q${short(s * 0.3)} ${short(-s * 0.22)} ${short(s * 0.22)} ${short(-s * 0.5)}`,
        "#e0d6c0",
        3.2,
      );
    case "curved-horns":
      return (
        pen.line(
          `M${short(x - s * 0.1)} ${short(y - s * 0.36)}q${short(-s * 0.2)} ${short(-s * 0.9)} ${short(-s * 0.9)} ${short(-s * 0.9)}`,
          "#b5a68a",
          4,
        ) +
        pen.line(
          `M${short(x + s * 0.1)} ${short(y - s * 0.36)}q${short(-s * 0.1)} ${short(-s * 0.8)} ${short(-s * 0.66)} ${short(-s * 0.98)}`,
          "#a39478",
          3.4,
        )
      );
    case "horn":
      return (
        pen.fill(
          `M${short(x + s * 0.02)} ${short(y - s * 0.42)}L${short(x + s * 0.5)} ${short(y - s * 1.6)}L${short(x + s * 0.34)} ${short(y - s * 0.36)}Z`,
          "#f0cf74",
        ) + drawCrest(brush, { ...build, crest: "mane" }, head, "#e59ab8", withers)
      );
    case "ossicones":
      return (
        pen.line(
          `M${short(x - s * 0.1)} ${short(y - s * 0.3)}v${short(-s * 0.6)}M${short(x + s * 0.14)} ${short(y - s * 0.3)}v${short(-s * 0.58)}`,
          "#a8763f",
          2.4,
        ) +
        pen.fill(
          oval(x - s * 0.1, y - s * 0.94, 2.4) + oval(x + s * 0.14, y - s * 0.92, 2.4),
          "#5b3d2b",
        )
      );
    case "none":
    case "hump":
    default:
      return "";
  }
}
