import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { blob, limb, oval, polygon, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";

/** The build of an animal on four legs, facing right; lengths in units of a drawing 100 high or so. */
export interface Build {
  readonly leg: number;
  readonly legWidth: number;
  readonly length: number;
  readonly depth: number;
  /** How far the belly is drawn up behind, as a share of the depth. */
  readonly tuck: number;
  /** From the withers to the head. */
  readonly neck: Point;
  readonly neckWidth: readonly [number, number];
  /** From the head to the tip of the muzzle. */
  readonly muzzle: Point;
  readonly headWidth: readonly [number, number];
  readonly ears: "pointed" | "floppy" | "round" | "long" | "leaf";
  readonly tail: "brush" | "tassel" | "hair" | "curl" | "stub" | "whip" | "wag";
  readonly hoofs: boolean;
  readonly coats: readonly Colour[];
  /** Colour of belly, muzzle and tail tip, or null for none. */
  readonly pale: Colour | null;
  readonly marks: "none" | "stripes" | "spots" | "patches" | "fleece" | "socks";
  readonly crest:
    | "none"
    | "mane"
    | "ruff"
    | "antlers"
    | "horns"
    | "curved-horns"
    | "horn"
    | "hump"
    | "ossicones";
  readonly nose: Colour;
}

/** Where a scarf, a hat or a rider goes. */
export interface Anchors {
  readonly head: Point;
  readonly neck: Point;
  readonly back: Point;
}

/** The anchors of a build. */
export function anchorsOf(build: Build): Anchors {
  const top = -(build.leg + build.depth);
  const withers: Point = [build.length * 0.36, top + build.depth * 0.26];
  return {
    head: [withers[0] + build.neck[0], withers[1] + build.neck[1] - build.headWidth[0] * 0.45],
    neck: [withers[0] + build.neck[0] * 0.55, withers[1] + build.neck[1] * 0.55],
    back: [-build.length * 0.02, top + 4],
  };
}

/** An animal on four legs. */
export function drawQuadruped(brush: Brush, build: Build): string {
  const { pen } = brush;
  const coat = mainColour(brush, build.coats);
  const second = brush.colours[1] ?? build.pale;
  const dark = shade(coat, -0.09);
  const { leg, length, depth } = build;
  const top = -(leg + depth);
  const front = length / 2;
  const withers: Point = [length * 0.36, top + depth * 0.26];
  const head: Point = [withers[0] + build.neck[0], withers[1] + build.neck[1]];
  const tip: Point = [head[0] + build.muzzle[0], head[1] + build.muzzle[1]];
  const parts: string[] = [];

  parts.push(drawTail(brush, build, coat, second ?? dark, [-front + 2, top + depth * 0.24]));
  const legAt = (x: number, swing: number, tone: Colour, hind: boolean): string =>
    drawLeg(brush, build, x, swing, tone, hind);
  parts.push(
    legAt(-front + depth * 0.42, -5, dark, true),
    legAt(front - depth * 0.3, -4, dark, false),
  );
  if (build.crest === "antlers" || build.crest === "curved-horns")
    parts.push(drawCrest(brush, build, head, coat, withers));
  parts.push(drawEars(brush, build, head, dark, -3));

  const hump: Point[] =
    build.crest === "hump"
      ? [
          [-length * 0.16, top - 2],
          [-length * 0.02, top - depth * 0.5],
          [length * 0.14, top - 1],
        ]
      : [[-length * 0.05, top + depth * 0.06]];
  const hull: Point[] = [
    [-front, top + depth * 0.36],
    [-front * 0.74, top + depth * 0.03],
    ...hump,
    [front * 0.6, top + depth * 0.02],
    [front * 0.98, top + depth * 0.3],
    [front * 0.96, top + depth * 0.72],
    [front * 0.58, top + depth * 1.04],
    [-front * 0.1, top + depth * (1.02 - build.tuck * 0.5)],
    [-front * 0.66, top + depth * (1 - build.tuck)],
    [-front * 0.98, top + depth * 0.72],
  ];
  const body = smooth(hull);
  const neckPath = limb(withers, build.neckWidth[0], head, build.neckWidth[1]);
  const headPath = limb(head, build.headWidth[0], tip, build.headWidth[1]);
  if (build.marks === "fleece") {
    parts.push(pen.fill(neckPath, coat));
    const curls = range(13).map((index) => {
      const angle = (index / 13) * Math.PI * 2;
      return oval(
        Math.cos(angle) * front * 0.86,
        top + depth * 0.52 + Math.sin(angle) * depth * 0.42,
        depth * 0.27,
      );
    });
    parts.push(
      pen.fill(curls.join("") + oval(0, top + depth * 0.52, front * 0.9, depth * 0.5), coat),
    );
    parts.push(
      pen.line(
        range(7)
          .map(
            (index) =>
              `M${short(-front * 0.7 + index * front * 0.22)} ${short(top + depth * (0.34 + (index % 3) * 0.2))}q4 -6 8 0`,
          )
          .join(""),
        dark,
        1.2,
        0.7,
      ),
    );
  } else {
    parts.push(pen.fill(neckPath, coat), pen.fill(body, coat));
    parts.push(
      pen.clip(
        body,
        pen.fill(neckPath, coat) +
          (second === null
            ? ""
            : pen.fill(
                oval(front * 0.15, top + depth * 1.06, front * 0.92, depth * 0.36),
                second,
                0.96,
              )) +
          drawMarks(brush, build, coat, top) +
          pen.fill(
            oval(-front * 0.1, top + depth * 1.12, front * 1.2, depth * 0.34),
            "#2a2038",
            0.12,
          ),
      ),
    );
  }
  parts.push(
    legAt(-front + depth * 0.2, 3, coat, true),
    legAt(front - depth * 0.52, 4, coat, false),
  );
  if (build.crest === "ruff") parts.push(drawCrest(brush, build, head, coat, withers));
  const face = build.marks === "fleece" ? (brush.colours[1] ?? "#4a4240") : coat;
  parts.push(pen.fill(headPath, face));
  if (build.pale !== null && build.marks !== "fleece")
    parts.push(
      pen.fill(
        limb(
          [
            head[0] + build.muzzle[0] * 0.52,
            head[1] + build.muzzle[1] * 0.52 + build.headWidth[1] * 0.22,
          ],
          build.headWidth[1] * 0.82,
          [tip[0], tip[1] + 0.6],
          build.headWidth[1] * 0.78,
        ),
        second ?? build.pale,
      ),
    );
  parts.push(drawEars(brush, build, head, coat, 2));
  if (build.marks === "fleece")
    parts.push(
      pen.fill(
        oval(
          head[0] - 3,
          head[1] - build.headWidth[0] * 0.5,
          build.headWidth[0] * 0.5,
          build.headWidth[0] * 0.36,
        ),
        coat,
      ),
    );
  if (["horns", "horn", "ossicones", "mane"].includes(build.crest))
    parts.push(drawCrest(brush, build, head, coat, withers));
  const eye: Point = [
    head[0] + build.muzzle[0] * 0.24,
    head[1] + build.muzzle[1] * 0.24 - build.headWidth[0] * 0.14,
  ];
  const size = Math.max(1.7, build.headWidth[0] * 0.105);
  parts.push(
    pen.fill(oval(eye[0], eye[1], size, size * 1.15), "#241c1c", 0.98),
    pen.light(oval(eye[0] + size * 0.3, eye[1] - size * 0.4, size * 0.36), "#ffffff"),
  );
  const noseSize = build.headWidth[1] * (build.hoofs ? 0.13 : 0.26);
  parts.push(
    pen.fill(
      oval(
        tip[0] + build.headWidth[1] * 0.34,
        tip[1] - build.headWidth[1] * 0.12,
        noseSize,
        noseSize * 0.85,
      ),
      build.nose,
      0.98,
    ),
  );
  parts.push(
    pen.line(
      `M${short(tip[0] + build.headWidth[1] * 0.26)} ${short(tip[1] + build.headWidth[1] * 0.24)}Q${short(tip[0] - 1)} ${short(tip[1] + build.headWidth[1] * 0.42)} ${short(tip[0] - build.muzzle[0] * 0.24)} ${short(tip[1] + build.headWidth[1] * 0.24)}`,
      shade(build.marks === "fleece" ? face : coat, -0.2),
      0.9,
      0.8,
    ),
  );
  return parts.join("");
}

function drawLeg(
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

function drawEars({ pen }: Brush, build: Build, head: Point, tone: Colour, shift: number): string {
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

function drawTail(
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

function drawMarks({ pen, random }: Brush, build: Build, coat: Colour, top: number): string {
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

function drawCrest(brush: Brush, build: Build, head: Point, coat: Colour, withers: Point): string {
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
