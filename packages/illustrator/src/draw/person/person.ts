import { shade } from "../../colour.ts";
import { box, oval, short } from "../../geometry.ts";
import type { PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";
import { drawCape, drawCapeCollar, drawScarf, drawTrunk, shoulderOf } from "./clothes.ts";
import { drawBehindHead, drawHead } from "./head.ts";
import { drawHeld } from "./held.ts";
import { armPlan, drawArm, drawLegs } from "./limbs.ts";
import type { Pose } from "./limbs.ts";

/** Height of a person relative to an adult of 1. */
export function statureOf(look: PersonLook): number {
  return look.age === "child" ? 0.8 : look.age === "old" ? 0.94 : 1;
}

const headScale = { child: 1.42, adult: 1.14, old: 1.16 } as const;
const headY = -74;

/**
 * Draws a person of 100 units, feet at y = 0, facing the viewer. The same look and pose give the
 * same markup in every picture.
 */
export function drawPerson(pen: Pen, look: PersonLook, pose: Pose): string {
  if (look.figure === "ghost") return pen.place(drawGhost(pen, look), 0, 0, 0.86);
  const half = shoulderOf(look);
  const scale = headScale[look.age];
  const head = (markup: string): string => pen.place(markup, 0, headY - 8.6 * scale, scale);
  const parts: string[] = [];
  if (look.cape !== null) parts.push(drawCape(pen, look.cape, half));
  parts.push(drawExtrasBehind(pen, look, half));
  parts.push(head(drawBehindHead(pen, look)));
  const sits = pose === "sit" || pose === "perch";
  if (pose === "ride") parts.push("");
  else if (sits) parts.push(pen.place(drawLegs(pen, look, "stand"), 0, 0, 1, 0.62));
  else parts.push(drawLegs(pen, look, pose));
  const upper: string[] = [];
  const neck = pen.fill(box(-3.2, -79, 6.4, 7.4, 2), shade(look.skin, -0.07));
  upper.push(neck, drawTrunk(pen, look));
  if (look.figure === "robot")
    upper.push(
      pen.fill(box(-6, -64, 12, 9, 2), shade(look.skin, -0.2)),
      pen.light(oval(-2.6, -59.6, 1.4), "#e5563f"),
      pen.light(oval(2.6, -59.6, 1.4), "#8fe0a8"),
    );
  for (const side of [-1, 1] as const) upper.push(drawArm(pen, look, pose, side));
  if (look.held !== null && pose !== "cheer") {
    const { hand } = armPlan(pose, pose === "wave" ? -1 : 1, half);
    upper.push(pen.place(drawHeld(pen, look.held), hand[0], hand[1]));
    upper.push(
      pen.fill(oval(hand[0], hand[1] + 0.8, 2.3, 1.9), look.extras.get("gloves") ?? look.skin),
    );
  }
  if (look.cape !== null) upper.push(drawCapeCollar(pen, look.cape, half));
  upper.push(head(drawHead(pen, look)));
  if (look.scarf !== null) upper.push(drawScarf(pen, look.scarf));
  const drop = sits ? 17 : 0;
  const [behind, legs] = [parts.slice(0, -1).join(""), parts.at(-1) ?? ""];
  const seat =
    pose === "sit"
      ? pen.fill(box(-12, -27, 24, 26, 3), "#8a6a48") + pen.fill(oval(0, -27, 12.4, 2.8), "#b3906a")
      : "";
  if (drop === 0) return behind + legs + upper.join("");
  return pen.place(behind, 0, drop) + seat + legs + pen.place(upper.join(""), 0, drop);
}

function drawExtrasBehind(pen: Pen, look: PersonLook, half: number): string {
  const wings = look.extras.get("wings");
  const pack = look.extras.get("backpack");
  const parts: string[] = [];
  if (wings !== undefined) {
    for (const side of [-1, 1]) {
      parts.push(
        pen.fill(
          `M0 -62C${side * 12} -92 ${side * 36} -92 ${side * 32} -72C${side * 29} -60 ${side * 12} -58 0 -60Z`,
          wings,
          0.85,
        ),
      );
      parts.push(
        pen.fill(
          `M0 -60C${side * 14} -60 ${side * 26} -52 ${side * 21} -42C${side * 16} -36 ${side * 5} -46 0 -56Z`,
          wings,
          0.75,
        ),
      );
    }
  }
  if (pack !== undefined) {
    parts.push(pen.fill(box(-half - 2.6, -72, half * 2 + 5.2, 27, 6), pack));
    parts.push(pen.fill(box(-half - 2.6, -56, half * 2 + 5.2, 11, 4), shade(pack, -0.08)));
  }
  return parts.join("");
}

function drawGhost(pen: Pen, look: PersonLook): string {
  const body =
    "M-20 -4C-24 -40 -22 -92 0 -94C22 -92 24 -40 20 -4Q15 -10 11 -3Q6 -9 1 -2Q-5 -9 -10 -3Q-15 -10 -20 -4Z";
  return (
    pen.fill(body, look.skin, 0.94) +
    pen.fill("M8 -92C22 -86 24 -40 20 -4Q15 -10 11 -3C16 -30 16 -70 8 -92Z", "#8f8fc0", 0.25) +
    pen.fill(oval(-7, -66, 3, 4.4) + oval(7, -66, 3, 4.4), "#2f2b3a") +
    pen.light(oval(-6, -67.8, 1) + oval(8, -67.8, 1), "#ffffff") +
    pen.fill(oval(0, -55, 3.2, 4), "#2f2b3a") +
    pen.fill(oval(-12, -58, 3, 2) + oval(12, -58, 3, 2), "#e89aae", 0.5) +
    (look.scarf === null ? "" : pen.place(drawScarf(pen, look.scarf), 0, 22, 1.7, 1)) +
    (look.hat === null
      ? ""
      : pen.place(pen.fill(`M-10 0Q0 ${short(-24)} 10 0Z`, look.hat.colour), 0, -90))
  );
}
