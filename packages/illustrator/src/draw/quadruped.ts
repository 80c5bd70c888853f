import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { limb, oval, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import type { Build } from "./quadruped-build.ts";
import { drawCrest, drawEars, drawLeg, drawMarks, drawTail } from "./quadruped-parts.ts";

/** A four-legged animal. */
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
