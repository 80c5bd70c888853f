import { mix, shade } from "../../colour.ts";
import { box, oval, range, short } from "../../geometry.ts";
import type { PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";
import { backHair, frontHair } from "./hair.ts";
import { hatBehind, hatInFront } from "./hats.ts";

/** The head with hair, face and hat, centred on (0, 0), with a radius of about 10 units. */
export function drawHead(pen: Pen, look: PersonLook): string {
  if (look.figure === "robot") return robotHead(pen, look);
  return frontOfHead(pen, look) + hatInFront(pen, look);
}

/** The parts of the head behind the body: long hair, the back of a hood. */
export function drawBehindHead(pen: Pen, look: PersonLook): string {
  return look.figure === "robot" ? "" : hatBehind(pen, look) + backHair(pen, look);
}

function frontOfHead(pen: Pen, look: PersonLook): string {
  const width = 8.9 * look.face.faceWidth;
  const shadow = shade(look.skin, -0.1);
  const ears =
    pen.fill(oval(-width, 1, 1.9, 2.5), look.skin) + pen.fill(oval(width, 1, 1.9, 2.5), look.skin);
  const jaw = look.age === "child" ? 9.2 : 9.9;
  const skull =
    `M${-width} -1C${-width} -13 ${width} -13 ${width} -1` +
    `C${width} ${jaw * 0.62} ${width * 0.52} ${jaw} 0 ${jaw}C${-width * 0.52} ${jaw} ${-width} ${jaw * 0.62} ${-width} -1Z`;
  const jewels = look.extras.get("earrings");
  return (
    ears +
    (jewels === undefined ? "" : pen.fill(oval(-width, 4.4, 0.9) + oval(width, 4.4, 0.9), jewels)) +
    pen.fill(skull, look.skin) +
    pen.fill(
      `M${-width} 0C${-width} 6.5 -4.5 ${jaw} 0 ${jaw}C4.5 ${jaw} ${width} 6.5 ${width} 0C7.5 6 4 8 0 8C-4 8 -7.5 6 ${-width} 0Z`,
      shadow,
      0.35,
    ) +
    drawFace(pen, look) +
    beard(pen, look) +
    frontHair(pen, look) +
    glasses(pen, look)
  );
}

function drawFace(pen: Pen, look: PersonLook): string {
  const { eyeSpacing: spacing, eyeSize, nose, brow, smile } = look.face;
  const size = eyeSize * (look.age === "child" ? 1.4 : 1.22);
  const eyeY = look.age === "child" ? 1.3 : 0.6;
  const dark = mix(look.eyes, "#120d10", 0.7);
  const blush = mix(look.skin, "#e0604f", 0.55);
  const browColour = shade(look.hair.kind === "bald" ? "#5a463a" : look.hair.colour, -0.08);
  const mouth = mix(look.skin, "#7d2b2b", 0.72);
  const parts: string[] = [];
  parts.push(pen.fill(oval(-5.4, 4.2, 2.1, 1.5) + oval(5.4, 4.2, 2.1, 1.5), blush, 0.38));
  if (look.extras.has("freckles")) {
    const dots = range(3).map(
      (index) =>
        oval(-6.4 + index * 1.5, 3.3 + (index % 2), 0.34) +
        oval(3.4 + index * 1.5, 3.9 - (index % 2), 0.34),
    );
    parts.push(pen.fill(dots.join(""), shade(look.skin, -0.2), 0.9));
  }
  const patch = look.extras.get("eyepatch");
  for (const side of [-1, 1]) {
    const x = spacing * side;
    if (side === 1 && patch !== undefined) {
      parts.push(
        pen.line(`M-9 -4L9 -1`, patch, 0.8),
        pen.fill(oval(x, eyeY, 2.5, 2.2), patch, 0.99),
      );
      continue;
    }
    parts.push(pen.fill(oval(x, eyeY, size, size * 1.22), dark, 0.99));
    parts.push(
      pen.fill(oval(x + size * 0.1, eyeY + size * 0.42, size * 0.62, size * 0.55), look.eyes, 0.75),
    );
    parts.push(pen.light(oval(x + size * 0.35, eyeY - size * 0.42, size * 0.42), "#ffffff", 0.95));
    if (look.feminine) {
      parts.push(
        pen.line(
          `M${short(x - side * size * 0.9)} ${short(eyeY - size * 0.8)}Q${short(x + side * size * 0.1)} ${short(eyeY - size * 1.85)} ${short(x + side * size * 1.3)} ${short(eyeY - size * 0.62)}`,
          dark,
          0.55,
        ),
      );
    }
    const browY = eyeY - size * 1.2 - 1.7;
    parts.push(
      pen.line(
        `M${x - side * 1.7} ${browY + brow * 0.3}Q${x} ${browY - 1 - brow * 0.3} ${x + side * 1.9} ${browY + 0.4}`,
        browColour,
        look.feminine ? 0.62 : 0.95,
      ),
    );
  }
  const noseColour = shade(look.skin, -0.15);
  const noses = [
    "M-0.5 3.2Q0.4 4.2 1.1 3.2",
    "M0 1.2Q-1.3 3.9 0.7 3.8",
    "M-1.1 3Q0 4.5 1.1 3",
  ] as const;
  parts.push(pen.line(noses[nose], noseColour, 0.7));
  if (look.age === "old") {
    parts.push(
      pen.line(
        `M-7 3.6Q-5.6 4.8 -4.4 4.5M7 3.6Q5.6 4.8 4.4 4.5M-3.4 5.4Q-4.4 6.6 -3.8 7.8M3.4 5.4Q4.4 6.6 3.8 7.8`,
        noseColour,
        0.42,
        0.8,
      ),
    );
  }
  parts.push(pen.line(`M${-2.4 * smile} 6Q0 ${6 + 1.8 * smile} ${2.4 * smile} 6`, mouth, 0.82));
  if (look.feminine && look.age !== "child")
    parts.push(pen.line(`M-1.2 6.9Q0 ${6.6 + smile} 1.2 6.9`, mix(mouth, "#d8505a", 0.5), 0.8));
  return parts.join("");
}

function beard(pen: Pen, look: PersonLook): string {
  if (look.beard === null) return "";
  const colour = look.beard.colour;
  const moustache = pen.fill(
    "M0 4.6C-1.6 3.6 -4.6 4.4 -5.6 6.6C-3.6 6.8 -1.4 6.6 0 5.6C1.4 6.6 3.6 6.8 5.6 6.6C4.6 4.4 1.6 3.6 0 4.6Z",
    shade(colour, 0.04),
  );
  if (look.beard.kind === "moustache") return moustache;
  const length = look.age === "old" ? 20 : 13.5;
  const full = pen.fill(
    `M-9 -1C-9.4 6 -8 10 -5.4 ${length - 3}Q-2.5 ${length} 0 ${length + 1}Q2.5 ${length} 5.4 ${length - 3}C8 10 9.4 6 9 -1` +
      `C8 3 6.6 4.6 4.6 4.8C2.6 4 -2.6 4 -4.6 4.8C-6.6 4.6 -8 3 -9 -1Z`,
    colour,
  );
  const strands = pen.line(
    `M-3.4 9Q-3 12 -2 ${length - 2}M3.4 9Q3 12 2 ${length - 2}M0 9.5V${length - 1}`,
    shade(colour, -0.1),
    0.5,
    0.6,
  );
  const lip = pen.line("M-1.8 7.4Q0 8.4 1.8 7.4", "#8a4038", 0.8);
  return full + strands + lip + moustache;
}

function glasses(pen: Pen, look: PersonLook): string {
  if (look.glasses === null) return "";
  const x = look.face.eyeSpacing + 0.1;
  const y = look.age === "child" ? 1.3 : 0.6;
  return (
    pen.light(oval(-x, y, 2.9) + oval(x, y, 2.9), "#ffffff", 0.22) +
    pen.line(
      `${oval(-x, y, 2.9)}${oval(x, y, 2.9)}M${-x + 2.9} ${y}Q0 ${y - 1.2} ${x - 2.9} ${y}M${-x - 2.9} ${y}L-9 ${y - 0.8}M${x + 2.9} ${y}L9 ${y - 0.8}`,
      look.glasses,
      0.75,
    )
  );
}

function robotHead(pen: Pen, look: PersonLook): string {
  const metal = look.skin;
  const dark = shade(metal, -0.22);
  return (
    pen.line("M0 -10V-15", dark, 1.1) +
    pen.fill(oval(0, -15.8, 1.7), "#e5563f") +
    pen.fill(box(-12, -3, 3.4, 6, 1.4) + box(8.6, -3, 3.4, 6, 1.4), dark) +
    pen.fill(box(-10, -10, 20, 19, 5), metal) +
    pen.fill(box(-10, 2, 20, 7, 4), dark, 0.22) +
    pen.fill(box(-7.8, -6, 15.6, 9.5, 4), "#22303c") +
    pen.light(oval(-3.4, -1.4, 2.3) + oval(3.4, -1.4, 2.3), "#9fe8f2") +
    pen.light(oval(-2.8, -2.1, 0.8) + oval(4, -2.1, 0.8), "#ffffff") +
    pen.line("M-3 6Q0 8 3 6", "#22303c", 0.9)
  );
}
