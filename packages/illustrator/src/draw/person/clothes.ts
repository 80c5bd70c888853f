import { shade } from "../../colour.ts";
import type { Colour } from "../../colour.ts";
import { box, oval, short } from "../../geometry.ts";
import type { PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";

/** Half the width of a person's shoulders. */
export function shoulderOf(look: PersonLook): number {
  return 10.4 * look.sturdy * (look.age === "child" ? 0.92 : look.feminine ? 0.93 : 1.06);
}

function torso(half: number, waist: number, hem: number, hemY: number): string {
  const s = short(half);
  const w = short(waist);
  const h = short(hem);
  return (
    `M-3.6 -75C-7 -74.4 -${s} -74 -${s} -68.6L-${w} -53C-${w} -49 -${h} ${hemY + 6} -${h} ${hemY}` +
    `Q0 ${hemY + 2.6} ${h} ${hemY}C${h} ${hemY + 6} ${w} -49 ${w} -53L${s} -68.6C${s} -74 7 -74.4 3.6 -75Q0 -72.4 -3.6 -75Z`
  );
}

/** The lower hem of the upper clothes: the y where the legs start. */
export function hemOf(look: PersonLook): number {
  if (look.top.kind === "robe") return -4;
  if (look.top.kind === "dress") return look.age === "child" ? -21 : -15;
  if (look.bottom.kind === "skirt") return -22;
  if (look.over?.kind === "coat") return -25;
  return -41;
}

/** Clothes of the trunk, without sleeves. */
export function drawTrunk(pen: Pen, look: PersonLook): string {
  const half = shoulderOf(look);
  const parts: string[] = [];
  const { top, over } = look;
  const dark = shade(top.colour, -0.1);
  const waist = half * 0.76;
  if (look.bottom.kind === "skirt" && top.kind !== "dress" && top.kind !== "robe") {
    parts.push(skirt(pen, look.bottom.colour, waist, -22, 15));
  }
  if (top.kind === "dress" || top.kind === "robe") {
    const hem = hemOf(look);
    parts.push(skirt(pen, top.colour, waist, hem, top.kind === "robe" ? 14.5 : 17));
    parts.push(pen.fill(torso(half, waist, waist + 1, -47), top.colour));
    if (top.kind === "robe") parts.push(pen.line("M0 -72V-6", dark, 0.7, 0.7));
    const belt = look.extras.get("belt") ?? (top.kind === "robe" ? "#c9a24b" : dark);
    parts.push(pen.fill(box(-waist, -53.4, waist * 2, 3, 1.2), belt));
    parts.push(
      pen.fill(
        "M-4.4 -75.2Q0 -69.4 4.4 -75.2L5.8 -74.6Q0 -66.8 -5.8 -74.6Z",
        shade(top.colour, 0.16),
      ),
    );
  } else {
    parts.push(pen.fill(torso(half, waist, waist + 1.6, -41), top.colour));
    if (top.kind === "armour") parts.push(plates(pen, top.colour, half));
    if (top.kind === "suit") {
      parts.push(
        pen.fill("M-4 -75L0 -60L4 -75L0 -72.6Z", "#f6f3ec"),
        pen.line("M-4.4 -74.6L0 -58M4.4 -74.6L0 -58M0 -58V-42", dark, 0.7),
      );
    }
    if (top.kind === "sweater") {
      parts.push(
        pen.fill("M-4.8 -75.6Q0 -71 4.8 -75.6L5.4 -73.4Q0 -69.4 -5.4 -73.4Z", dark),
        pen.fill(box(-waist - 1.4, -44, waist * 2 + 2.8, 3.4, 1.4), dark),
      );
    }
    if (top.kind === "shirt") {
      parts.push(
        pen.fill(
          "M-4.6 -75.4L0 -70.6L-3.4 -68.6L-6.4 -74ZM4.6 -75.4L0 -70.6L3.4 -68.6L6.4 -74Z",
          shade(top.colour, 0.1),
        ),
        pen.line("M0 -70V-43", dark, 0.6, 0.8),
      );
    }
    const belt = look.extras.get("belt");
    if (belt !== undefined) {
      parts.push(
        pen.fill(box(-waist - 1, -47, waist * 2 + 2, 3.2, 0.8), belt),
        pen.fill(box(-2, -47.4, 4, 4, 0.6), "#d9b45a"),
      );
    }
  }
  // One soft shadow on the side away from the light models the whole trunk.
  parts.push(
    pen.fill(
      `M${short(half)} -68.6L${short(waist)} -53L${short(waist + 1.4)} -42H${short(waist * 0.35)}Q${short(waist * 0.7)} -58 ${short(half * 0.6)} -73Z`,
      "#2a2038",
      0.1,
    ),
  );
  const tie = look.extras.get("tie");
  if (tie !== undefined)
    parts.push(pen.fill("M-1.5 -72.6H1.5L1 -70L2.2 -56L0 -53L-2.2 -56L-1 -70Z", tie));
  if (over !== null) parts.push(drawOver(pen, over.kind, over.colour, half, waist));
  const necklace = look.extras.get("necklace");
  if (necklace !== undefined)
    parts.push(
      pen.line("M-4.6 -73.6Q0 -63.6 4.6 -73.6", necklace, 0.7),
      pen.fill(oval(0, -66.4, 1.5), necklace),
    );
  return parts.join("");
}

function skirt(pen: Pen, colour: Colour, waist: number, hem: number, half: number): string {
  const w = short(waist * 0.92);
  const folds = pen.line(
    `M${short(-half * 0.5)} ${hem + 1}Q${short(-waist * 0.6)} -36 -2.6 -48M${short(half * 0.5)} ${hem + 1}Q${short(waist * 0.6)} -36 2.6 -48M0 ${hem + 2}V-44`,
    shade(colour, -0.12),
    0.6,
    0.65,
  );
  return (
    pen.fill(
      `M-${w} -52C-${short(half * 0.8)} -42 -${half} ${hem + 8} -${half} ${hem}Q0 ${hem + 4.4} ${half} ${hem}C${half} ${hem + 8} ${short(half * 0.8)} -42 ${w} -52Z`,
      colour,
    ) +
    pen.fill(
      `M${short(half * 0.2)} ${hem + 2.2}Q${short(half * 0.7)} ${hem + 1.6} ${half} ${hem}C${half} ${hem + 8} ${short(half * 0.8)} -42 ${w} -52C${short(half * 0.5)} -40 ${short(half * 0.3)} -20 ${short(half * 0.2)} ${hem + 2.2}Z`,
      "#2a2038",
      0.1,
    ) +
    folds +
    pen.line(
      `M-${short(half - 0.6)} ${hem - 1.6}Q0 ${hem + 2.6} ${short(half - 0.6)} ${hem - 1.6}`,
      shade(colour, 0.12),
      1,
      0.8,
    )
  );
}

function plates(pen: Pen, metal: Colour, half: number): string {
  const dark = shade(metal, -0.16);
  return (
    pen.fill(
      `M-${short(half * 0.8)} -70Q0 -66 ${short(half * 0.8)} -70L${short(half * 0.66)} -56Q0 -51 -${short(half * 0.66)} -56Z`,
      shade(metal, 0.07),
    ) +
    pen.line(
      `M0 -68V-53M-${short(half * 0.7)} -49Q0 -46 ${short(half * 0.7)} -49M-${short(half * 0.72)} -45Q0 -42 ${short(half * 0.72)} -45`,
      dark,
      0.7,
    ) +
    pen.light("M-5.6 -66.4Q-3 -65 -2 -57Q-4.6 -60 -5.6 -66.4Z", "#ffffff", 0.4)
  );
}

function drawOver(
  pen: Pen,
  kind: "coat" | "vest" | "apron" | "overalls",
  colour: Colour,
  half: number,
  waist: number,
): string {
  const dark = shade(colour, -0.12);
  const s = short(half + 0.7);
  const w = short(waist + 1);
  switch (kind) {
    case "coat":
      return (
        pen.fill(
          `M-3.8 -75.4C-7 -75 -${s} -74.4 -${s} -68.4L-${w} -52C-${w} -46 -13.4 -32 -13.8 -24.6Q-7 -22.4 0 -23Q7 -22.4 13.8 -24.6C13.4 -32 ${w} -46 ${w} -52L${s} -68.4C${s} -74.4 7 -75 3.8 -75.4L0 -66Z`,
          colour,
        ) +
        pen.fill(
          `M${s} -68.4L${w} -52C${w} -46 13.4 -32 13.8 -24.6Q10 -23 5 -22.9Q6 -50 ${short(half * 0.6)} -72Z`,
          "#2a2038",
          0.1,
        ) +
        pen.line("M0 -66V-23.4", dark, 0.8) +
        pen.fill(
          "M-4 -76L-0.2 -65.4L-4 -67.4L-6.4 -74.8ZM4 -76L0.2 -65.4L4 -67.4L6.4 -74.8Z",
          shade(colour, 0.09),
        ) +
        pen.line(`M-${w} -50.4Q0 -47.6 ${w} -50.4`, dark, 1.5) +
        pen.fill(
          oval(2.3, -60, 0.95) + oval(2.3, -54, 0.95) + oval(2.3, -43, 0.95) + oval(2.3, -36, 0.95),
          shade(colour, 0.28),
          0.99,
        ) +
        pen.line("M-9.4 -38.6L-5.4 -37.8M9.4 -38.6L5.6 -37.8", dark, 0.9)
      );
    case "vest":
      return (
        pen.fill(
          `M-5.4 -75C-7.6 -74 -${short(half * 0.78)} -73 -${short(half * 0.8)} -67L-${w} -52L-${w} -41L-0.6 -39.4V-60ZM5.4 -75C7.6 -74 ${short(half * 0.78)} -73 ${short(half * 0.8)} -67L${w} -52L${w} -41L0.6 -39.4V-60Z`,
          colour,
        ) + pen.fill(oval(-1.8, -55, 0.7) + oval(-1.8, -49, 0.7), shade(colour, 0.3), 0.99)
      );
    case "apron":
      return (
        pen.fill(
          "M-5.4 -68H5.4L6.6 -52C9 -46 9.6 -34 9.4 -26Q0 -23.6 -9.4 -26C-9.6 -34 -9 -46 -6.6 -52Z",
          colour,
        ) +
        pen.line("M-5.2 -68L-4 -75M5.2 -68L4 -75M-6.6 -51.6L-9 -51M6.6 -51.6L9 -51", dark, 0.9) +
        pen.line("M-4.4 -42H4.4V-36H-4.4Z", dark, 0.5)
      );
    case "overalls":
    default:
      return (
        pen.fill(`M-6 -66H6V-56L${w} -50V-40Q0 -37 -${w} -40V-50L-6 -56Z`, colour) +
        pen.line("M-5 -65.6L-6.4 -74.4M5 -65.6L6.4 -74.4", colour, 2.2) +
        pen.fill(oval(-4.6, -65, 0.9) + oval(4.6, -65, 0.9), "#e3c77a", 0.99) +
        pen.line("M-3 -61H3V-57H-3Z", dark, 0.6)
      );
  }
}

/** A cape, behind everything else of the person. */
export function drawCape(pen: Pen, colour: Colour, half: number): string {
  return (
    pen.fill(
      `M-5 -75C-${short(half)} -74 -${short(half + 2)} -70 -${short(half + 4)} -60C-18 -40 -21 -24 -19.6 -12Q-12 -15 -6 -10Q0 -14 6 -10Q12 -15 19.6 -12C21 -24 18 -40 ${short(half + 4)} -60C${short(half + 2)} -70 ${short(half)} -74 5 -75Z`,
      colour,
    ) + pen.line("M-13 -52Q-15 -30 -14 -15M13 -52Q15 -30 14 -15", shade(colour, -0.12), 0.8, 0.8)
  );
}

/** The part of a cape that lies over the shoulders. */
export function drawCapeCollar(pen: Pen, colour: Colour, half: number): string {
  return (
    pen.fill(
      `M-4 -76.4C-8 -76 -${short(half + 1)} -75 -${short(half + 1.6)} -66Q-6 -69 0 -70.4Q6 -69 ${short(half + 1.6)} -66C${short(half + 1)} -75 8 -76 4 -76.4Q0 -73 -4 -76.4Z`,
      shade(colour, 0.05),
    ) + pen.fill(oval(0, -71.6, 1.5), "#e0b44d")
  );
}

/** A scarf round the neck with one hanging end. */
export function drawScarf(pen: Pen, colour: Colour): string {
  const dark = shade(colour, -0.12);
  return (
    pen.fill("M2 -73L7.4 -72.4L9.4 -55L4.4 -54.4Z", colour) +
    pen.line("M5 -57.6L9 -58M4.8 -60.4L8.8 -60.8", dark, 0.7) +
    pen.fill(
      "M-7.4 -76.6Q0 -72.6 7.4 -76.6Q9.4 -72 7 -70.2Q0 -66.6 -7 -70.2Q-9.4 -72 -7.4 -76.6Z",
      shade(colour, 0.05),
    ) +
    pen.line("M-5 -72Q0 -69.6 5.4 -72.4", dark, 0.6, 0.7)
  );
}
