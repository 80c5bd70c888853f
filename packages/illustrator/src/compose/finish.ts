import { box, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import type { Random } from "../random.ts";
import type { Canvas } from "./canvas.ts";

/** Draws the margin, the paper grain and a slight vignette. */
export function finish({ pen, width, height }: Canvas, random: Random): string {
  const { style } = pen;
  const parts: string[] = [];
  if (style.name === "night" || style.name === "noir") {
    const strength = 0.34;
    // Larger than the sheet, so that the rim of the gradient lies in the corners and not along the
    // sides.
    const wide = box(-width * 0.21, -height * 0.21, width * 1.42, height * 1.42);
    parts.push(
      pen.light(
        wide,
        pen.radial([
          [0, "#120c24", 0],
          [0.74, "#120c24", 0],
          [1, "#120c24", strength],
        ]),
      ),
    );
  }
  if (style.name === "watercolour") {
    const blooms = range(5).map(() => {
      const [x, y, r] = [
        random.between(0, width),
        random.between(0, height),
        random.between(110, 260),
      ];
      return pen.light(
        `M${short(x - r)} ${short(y)}a${short(r)} ${short(r * 0.8)} 0 1 0 ${short(r * 2)} 0a${short(r)} ${short(r * 0.8)} 0 1 0 ${short(-r * 2)} 0Z`,
        pen.radial([
          [0, "#fffaf0", 0.3],
          [0.75, "#fffaf0", 0.16],
          [0.9, "#fffaf0", 0.02],
          [1, "#fffaf0", 0],
        ]),
      );
    });
    parts.push(blooms.join(""));
  }
  if (style.margin) {
    const frames = style.name === "watercolour" ? 3 : 1;
    for (const layer of range(frames))
      parts.push(
        pen.light(
          frame(random, width, height, 26 + layer * 7, style.name === "watercolour" ? 7 : 2.5),
          style.sheet,
          layer === 0 ? 1 : 0.4,
        ),
      );
  }
  return parts.join("") + grain(pen.style.finish, width, height);
}

/** The border of the picture: everything outside an uneven rectangle. */
function frame(
  random: Random,
  width: number,
  height: number,
  inset: number,
  wobble: number,
): string {
  const edge = (fromX: number, fromY: number, toX: number, toY: number): Point[] =>
    range(16).map((index) => [
      fromX + ((toX - fromX) * index) / 16 + random.between(-wobble, wobble),
      fromY + ((toY - fromY) * index) / 16 + random.between(-wobble, wobble),
    ]);
  const inner = [
    ...edge(inset, inset, inset, height - inset),
    ...edge(inset, height - inset, width - inset, height - inset),
    ...edge(width - inset, height - inset, width - inset, inset),
    ...edge(width - inset, inset, inset, inset),
  ];
  return `M-9 -9H${short(width + 9)}V${short(height + 9)}H-9Z${smooth(inner)}`;
}

function grain(kind: "grain" | "paper" | "chalk" | "none", width: number, height: number): string {
  if (kind === "none") return "";
  // A small stitched tile, because filtering the whole sheet would take longer than drawing it.
  const [tile, frequency, octaves, strength] =
    kind === "grain"
      ? [160, 0.85, 1, 0.16]
      : kind === "paper"
        ? [220, 0.3, 2, 0.2]
        : [200, 0.42, 2, 0.3];
  const shift = kind === "grain" ? -0.075 : kind === "paper" ? -0.085 : -0.12;
  return (
    `<filter id="grain" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="7" stitchTiles="stitch"/>` +
    `<feColorMatrix values="0 0 0 0 ${kind === "chalk" ? 1 : 0.16} 0 0 0 0 ${kind === "chalk" ? 0.98 : 0.13} 0 0 0 0 ${kind === "chalk" ? 0.93 : 0.18} ${strength} 0 0 0 ${shift}"/></filter>` +
    `<pattern id="sheet" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse"><rect width="${tile}" height="${tile}" filter="url(#grain)"/></pattern>` +
    `<rect width="${short(width)}" height="${short(height)}" fill="url(#sheet)"/>`
  );
}
