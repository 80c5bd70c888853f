import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";
import type { Decor } from "./room-shell.ts";
import { sofaShape, throneShape } from "./seats.ts";

/** A piece of furniture against the wall, standing on (0, 0). Units: a picture area of 1024². */
export type Furniture = (pen: Pen, decor: Decor, random: Random, lit: boolean) => string;

const spines: readonly Colour[] = [
  "#b5433a",
  "#3f6f8a",
  "#5f8a5a",
  "#e0a83c",
  "#7d5a94",
  "#c98a5a",
  "#3f7f74",
  "#d9c9a8",
  "#8a4a5a",
];

/** Bookshelves of four boards. */
export const bookcase: Furniture = (pen, decor, random) => {
  const back = shade(decor.wood, -0.1);
  const books: string[] = [];
  for (const shelf of range(5)) {
    const y = -24 - shelf * 92;
    let x = -118;
    const row = new Map<Colour, string[]>();
    while (x < 112) {
      const w = random.between(9, 19);
      const h = random.between(52, 76);
      if (random.chance(0.06)) {
        x += 22;
        continue;
      }
      const colour = random.pick(spines);
      row.set(colour, [...(row.get(colour) ?? []), box(x, y - h, Math.min(w, 118 - x), h, 1)]);
      x += w + 1.4;
    }
    for (const [colour, list] of row) books.push(pen.fill(list.join(""), colour, 0.99));
    books.push(pen.fill(box(-126, y, 252, 9), shade(decor.wood, 0.05)));
  }
  return (
    pen.fill(box(-132, -490, 264, 490, 3), decor.wood) +
    pen.fill(box(-120, -478, 240, 456), back) +
    books.join("") +
    pen.fill(box(-140, -500, 280, 16, 3), shade(decor.wood, 0.08))
  );
};

/** A bed with a quilt. */
export const bed: Furniture = (pen, decor) => {
  const patches = range(10).map((index) =>
    pen.fill(
      box(-96 + (index % 5) * 60, -108 + Math.floor(index / 5) * 52, 60, 52),
      index % 2 === 0 ? shade(decor.cloth, 0.1) : decor.accent,
      0.75,
    ),
  );
  return (
    pen.fill(box(-198, -262, 36, 262, 8), decor.wood) +
    pen.fill("M-190 -250C-170 -280 -160 -262 -160 -240V-40H-190Z", shade(decor.wood, 0.06)) +
    pen.fill(box(184, -150, 28, 150, 8), decor.wood) +
    pen.fill(box(-166, -128, 356, 70, 10), "#f3ebdc") +
    pen.fill("M-160 -128C-166 -176 -84 -176 -84 -128Z", "#fbf7ee") +
    pen.fill("M-104 -132C-20 -150 130 -146 190 -126V-14H-100Q-112 -70 -104 -132Z", decor.cloth) +
    pen.clip(
      "M-104 -132C-20 -150 130 -146 190 -126V-14H-100Q-112 -70 -104 -132Z",
      patches.join(""),
    ) +
    pen.fill(
      "M-112 -134C-90 -142 -66 -142 -48 -142Q-58 -70 -50 -14H-106Q-116 -70 -112 -134Z",
      "#f6efe0",
    ) +
    pen.fill(box(-180, -16, 380, 12, 4), shade(decor.wood, -0.06))
  );
};

/** A sofa with cushions. */
export const sofa: Furniture = (pen, { cloth, accent, wood }) =>
  sofaShape(pen, cloth, accent, wood);

/** A fireplace with a fire, a clock and candles. */
export const fireplace: Furniture = (pen, decor, random) => {
  const bricks = range(40).map(() =>
    box(random.between(-136, 108), -random.between(12, 246), 26, 11, 2),
  );
  return (
    pen.fill("M-104 -262L-82 -620H82L104 -262Z", shade(decor.wall, -0.1)) +
    pen.fill(box(-146, -262, 292, 262), "#a8705a") +
    pen.fill(bricks.join(""), "#bb8469", 0.8) +
    pen.fill("M-88 0V-130A88 66 0 0 1 88 -130V0Z", "#2f2528") +
    pen.light(oval(0, -44, 190), pen.glow("#ff9f4a", 0.6)) +
    pen.line("M-56 -12L50 -28M56 -12L-46 -30", "#6b4630", 18) +
    pen.light(
      "M-52 -24C-66 -74 -26 -92 -22 -140C4 -112 0 -96 8 -86C16 -110 26 -122 24 -148C58 -108 68 -64 48 -24Z",
      "#f2792f",
    ) +
    pen.light(
      "M-30 -24C-40 -60 -12 -72 -8 -104C8 -80 12 -72 16 -64C40 -58 36 -36 30 -24Z",
      "#fbb03b",
    ) +
    pen.light("M-14 -24C-18 -46 -2 -52 2 -70C16 -50 22 -40 14 -24Z", "#ffe9a0") +
    pen.fill(box(-164, -284, 328, 26, 5), shade(decor.wood, 0.04)) +
    pen.fill(oval(0, -326, 38), decor.wood) +
    pen.fill(oval(0, -326, 29), "#f6ecd6") +
    pen.line("M0 -326V-346M0 -326L13 -318", "#3a302e", 4) +
    pen.fill(box(-126, -330, 14, 46, 3) + box(112, -330, 14, 46, 3), "#f6ecd6") +
    [-119, 119]
      .map(
        (x) =>
          pen.light(oval(x, -344, 40), pen.glow("#ffd480", 0.6)) +
          pen.light(`M${x} -358q9 15 0 26q-9 -11 0 -26Z`, "#ffb13c"),
      )
      .join("")
  );
};

/** A throne between banners. */
export const throne: Furniture = (pen, decor) => banners(pen, decor) + throneShape(pen, "#a3343f");

/** The banners on both sides of a throne. */
export const banners = (pen: Pen, { cloth }: Pick<Decor, "cloth">): string =>
  [-196, 196]
    .map(
      (x) =>
        pen.fill(`M${x - 44} -640H${x + 44}V-330L${x} -372L${x - 44} -330Z`, cloth) +
        pen.fill(
          `M${x} -560l14 34l36 4l-27 24l8 36l-31 -19l-31 19l8 -36l-27 -24l36 -4Z`,
          "#e0b44d",
        ) +
        pen.line(`M${x - 52} -640H${x + 52}`, "#d9a94a", 8),
    )
    .join("");

/** A leafy plant in a pot. */
export const potPlant: Furniture = (pen, decor) => {
  const leaves = range(9).map((index) => {
    const angle = -Math.PI * (0.08 + (index / 8) * 0.84);
    const reach = 120 + (index % 3) * 26;
    const [x, y] = [Math.cos(angle) * reach * 0.75, -80 + Math.sin(angle) * reach];
    return `M0 -76Q${short(x * 0.3 - 22)} ${short(y * 0.7)} ${short(x)} ${short(y)}Q${short(x * 0.6 + 22)} ${short(y * 0.55)} 0 -76Z`;
  });
  return (
    pen.fill(leaves.join(""), "#5f8f5a") +
    pen.fill(leaves.filter((_, index) => index % 2 === 0).join(""), "#7aa866", 0.8) +
    pen.fill("M-44 -84H44L34 0H-34Z", decor.accent) +
    pen.fill(box(-50, -92, 100, 18, 4), shade(decor.accent, 0.07))
  );
};

/** A round table with a cloth and a chair beside it. */
export const cafeTable: Furniture = (pen, decor) =>
  pen.line(
    "M58 -96V-4M112 -96V-4M66 -100V-196M116 -100V-196M66 -190H116M66 -160H116",
    decor.wood,
    9,
  ) +
  pen.fill(box(54, -106, 70, 14, 4), shade(decor.wood, 0.08)) +
  pen.line("M0 -116V-10M-36 -4L0 -20L36 -4", "#4a4d55", 9) +
  pen.fill(oval(0, -128, 92, 15), "#f6efe0") +
  pen.fill(
    "M-92 -128Q-86 -84 -78 -92T-50 -90T-20 -84T14 -88T46 -86T78 -92Q88 -84 92 -128Q50 -112 0 -112Q-50 -112 -92 -128Z",
    decor.cloth,
  ) +
  pen.fill(box(-40, -152, 30, 22, 6), "#fbf8f0") +
  pen.fill(box(20, -158, 12, 28, 3), decor.accent) +
  pen.fill(oval(26, -168, 12), "#e0687a");
