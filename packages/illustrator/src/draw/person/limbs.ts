import { shade } from "../../colour.ts";
import type { Colour } from "../../colour.ts";
import { limb, oval, short, smooth } from "../../geometry.ts";
import type { Point } from "../../geometry.ts";
import type { PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";
import { tube } from "../tube.ts";
import { hemOf, shoulderOf } from "./clothes.ts";

/** `sit` includes a seat; `perch` expects something drawn to sit on. */
export type Pose = "stand" | "walk" | "wave" | "cheer" | "hold" | "sit" | "perch" | "ride" | "soar";

interface ArmPlan {
  readonly elbow: Point;
  readonly hand: Point;
}

/** Positions of elbow and hand for the left or right arm as seen; x is mirrored for the left. */
export function armPlan(pose: Pose, side: -1 | 1, shoulder: number): ArmPlan {
  const at = (elbowX: number, elbowY: number, handX: number, handY: number): ArmPlan => ({
    elbow: [side * (shoulder + elbowX), elbowY],
    hand: [side * (shoulder + handX), handY],
  });
  const hanging = at(2.2, -57, 2.6, -43.5);
  switch (pose) {
    case "wave":
      return side === 1 ? at(6.8, -64, 9.4, -83) : hanging;
    case "cheer":
      return at(6.8, -66, 9.4, -86);
    case "soar":
      return side === 1 ? at(3.4, -80, 3, -97) : hanging;
    case "hold":
      return side === 1 ? at(2.6, -57.4, 3.4, -52.6) : hanging;
    case "walk":
      return side === 1 ? at(3.6, -57.4, 1.4, -46) : at(3.8, -58, 5.8, -45.6);
    case "sit":
    case "perch":
    case "ride":
      return at(2.4, -57.6, -2.6, -47.6);
    case "stand":
    default:
      return hanging;
  }
}

/** Both legs with shoes, from the hips down to y = 0. */
export function drawLegs(pen: Pen, look: PersonLook, pose: Pose): string {
  const hem = hemOf(look);
  const covered =
    look.top.kind === "dress" || look.top.kind === "robe" || look.bottom.kind === "skirt";
  const cloth = covered || look.bottom.kind === "shorts" ? look.skin : look.bottom.colour;
  const width = covered ? 4.7 : 7.4 * look.sturdy;
  const metal = look.top.kind === "armour";
  const overalls = look.over?.kind === "overalls" ? look.over.colour : null;
  const hipY = -44;
  return ([-1, 1] as const)
    .map((side) => {
      const hip: Point = [side * 4.3, hipY];
      const ankle: Point = pose === "walk" ? [side * 7.8, -4.6] : [side * 4.9, -4.6];
      const knee: Point = pose === "walk" ? [side * 5.2 + 1.6, -24] : [side * 4.7, -24];
      const path = smooth([hip, knee, ankle], false);
      const leg = tube(pen, path, overalls ?? cloth, width);
      const shorts =
        look.bottom.kind === "shorts" && !covered
          ? tube(pen, `M${hip[0]} ${hip[1]}L${short(knee[0])} -29`, look.bottom.colour, 8.6)
          : "";
      const greave = metal
        ? tube(
            pen,
            `M${short(knee[0])} -22L${short(ankle[0])} -8`,
            shade(look.top.colour, -0.04),
            7.4,
          )
        : "";
      const shadow = hem > -40 ? pen.fill(oval(side * 5, hem + 1, 4.4, 2.2), "#2a2038", 0.2) : "";
      return leg + shorts + greave + shadow + shoe(pen, look, ankle, side);
    })
    .join("");
}

function shoe(pen: Pen, look: PersonLook, ankle: Point, side: -1 | 1): string {
  const [x] = ankle;
  const { kind, colour } = look.feet;
  const sole = shade(colour, -0.14);
  const foot = `M${short(x - 3.4)} -5.6C${short(x - 4.4)} -2 ${short(x - 4.2)} 0.2 ${short(x - 3.4)} 0.4H${short(x + 3.4)}C${short(x + 4.6)} 0.2 ${short(x + 4.4)} -2 ${short(x + 3.4)} -5.6Z`;
  const toe =
    pen.fill(foot, colour) +
    pen.fill(
      `M${short(x - 4)} -0.9H${short(x + 4)}Q${short(x + 4.4)} 0.7 ${short(x + 3.4)} 0.8H${short(x - 3.4)}Q${short(x - 4.4)} 0.7 ${short(x - 4)} -0.9Z`,
      sole,
    );
  if (kind === "shoes") return toe;
  return (
    pen.fill(limb([x, -17], 8.2, [x, -4.4], 7), colour) +
    toe +
    pen.fill(
      `M${short(x - 4.4)} -18.4H${short(x + 4.4)}V-15.6H${short(x - 4.4)}Z`,
      shade(colour, 0.09),
    ) +
    pen.line(`M${short(x + side * 2)} -14V-6`, shade(colour, 0.16), 0.7, 0.6)
  );
}

/** One arm with its sleeve and hand. */
export function drawArm(pen: Pen, look: PersonLook, pose: Pose, side: -1 | 1): string {
  const half = shoulderOf(look);
  const { elbow, hand } = armPlan(pose, side, half);
  const shoulder: Point = [side * (half - 2.3), -68.8];
  const coat = look.over?.kind === "coat" ? look.over.colour : null;
  const sleeve: Colour = coat ?? look.top.colour;
  const metal = look.top.kind === "armour" && coat === null;
  const bare = look.top.kind === "dress" && coat === null && look.age === "child";
  const wrist: Point = [
    elbow[0] + (hand[0] - elbow[0]) * 0.8,
    elbow[1] + (hand[1] - elbow[1]) * 0.8,
  ];
  const path = smooth([shoulder, elbow, wrist], false);
  const gloves = look.extras.get("gloves") ?? (metal ? shade(look.top.colour, -0.1) : undefined);
  const wide = coat === null ? 5.6 : 6.6;
  const palm = pen.fill(
    oval(hand[0], hand[1] + (pose === "wave" || pose === "cheer" ? -1.6 : 1.6), 2.6, 3),
    gloves ?? look.skin,
  );
  const cuffAt: Point = [
    elbow[0] + (hand[0] - elbow[0]) * 0.74,
    elbow[1] + (hand[1] - elbow[1]) * 0.74,
  ];
  const arm = bare
    ? tube(pen, path, look.skin, 4.4) +
      tube(
        pen,
        `M${short(shoulder[0])} -69.6L${short((shoulder[0] + elbow[0]) / 2)} ${short((-69.6 + elbow[1]) / 2)}`,
        sleeve,
        6.6,
      )
    : tube(pen, path, sleeve, wide) +
      pen.line(
        `M${short(cuffAt[0] - 2)} ${short(cuffAt[1])}H${short(cuffAt[0] + 2)}`,
        shade(sleeve, -0.1),
        1.1,
        0.8,
      );
  const inside = pen.line(
    `M${short(shoulder[0] - side * 2.4)} -64Q${short(elbow[0] - side * 2.6)} ${short(elbow[1])} ${short(hand[0] - side * 2.6)} ${short(hand[1] - 4)}`,
    "#2a2038",
    0.7,
    0.22,
  );
  const pauldron = metal
    ? pen.fill(oval(shoulder[0] + side * 0.6, -70, 5, 4.4), shade(look.top.colour, 0.06)) +
      pen.line(
        `M${short(shoulder[0] - 3.4)} -67.6Q${short(shoulder[0])} -66 ${short(shoulder[0] + 4)} -68`,
        shade(look.top.colour, -0.16),
        0.6,
      )
    : "";
  return palm + arm + (pose === "stand" || pose === "walk" ? inside : "") + pauldron;
}
