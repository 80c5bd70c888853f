import { underLight } from "../colour.ts";
import { range } from "../geometry.ts";
import type { Random } from "../random.ts";
import type { Thing } from "../scene.ts";
import { subjects } from "../subjects.ts";
import type { Canvas, Surroundings } from "./canvas.ts";

const crops: ReadonlySet<string> = new Set([
  "lavender",
  "wheat",
  "sunflower",
  "tulip",
  "flower",
  "pumpkin",
]);

/** True for plants that fill a field when named: "lavender fields", "a meadow of tulips". */
export function isCrop(thing: Thing, land: ReadonlySet<string>): boolean {
  return crops.has(thing.kind) && land.has("meadow") && thing.count !== 2;
}

/** Rows of a plant over the near ground, larger towards the viewer. */
export function drawCrop(
  canvas: Canvas,
  { air, ground }: Surroundings,
  near: (x: number) => number,
  crop: Thing,
  random: Random,
): string {
  const subject = subjects[crop.kind];
  if (subject === undefined) return "";
  const { width, height, unit } = canvas;
  const pen = canvas.pen.withEdge(1).withTone((colour) => underLight(colour, air.ambient));
  // Repeat a few variants: in a field the repetition does not show, and it is fast.
  const plants = range(3).map((index) =>
    subject.draw({
      pen,
      random: random.fork(`plant ${index}`),
      ground,
      lit: air.lit,
      colours: crop.colours,
      parts: crop.parts,
    }),
  );
  return range(5)
    .flatMap((row) => {
      const t = (row + 0.4) / 5;
      const size = unit * subject.size * (0.42 + t * 0.5);
      const step = (size * subject.halfWidth * 2.1) / 100;
      return range(Math.ceil(width / step) + 1).map((index) => {
        const x = (index + (row % 2) * 0.5) * step + random.between(-0.16, 0.16) * step;
        const line = near(x) + height * 0.02;
        const plant = plants[(index + row) % plants.length] ?? "";
        return pen.place(plant, x, line + (height * 1.02 - line) * t, size / 100);
      });
    })
    .join("");
}
