import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";
import type { Decor } from "./room-shell.ts";

/** A piece of furniture against the wall, standing on (0, 0); units of a picture of 1024². */
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

/** A range with pots, an oven door and a hood. */
export const stove: Furniture = (pen, decor) =>
  pen.fill("M-60 -470H60L96 -372H-96Z", shade(decor.wood, 0.12)) +
  pen.fill(box(-102, -374, 204, 14, 3), shade(decor.wood, -0.02)) +
  pen.fill(box(-100, -178, 200, 178, 6), "#4a4d55") +
  pen.fill(box(-108, -190, 216, 18, 4), "#34363d") +
  pen.fill(box(-70, -130, 140, 92, 8), "#2b2c32") +
  pen.light(box(-58, -118, 116, 62, 6), "#ffb05a", 0.75) +
  pen.line("M-60 -142H60", "#c9ced3", 7) +
  pen.fill(
    range(4)
      .map((index) => oval(-66 + index * 44, -158, 8))
      .join(""),
    decor.accent,
  ) +
  pen.fill(box(-72, -236, 84, 48, 10), "#b5653f") +
  pen.fill(box(-78, -240, 96, 9, 4), "#c98052") +
  pen.fill(oval(-30, -246, 7), "#5b3d2b") +
  pen.fill("M34 -190C26 -236 92 -236 84 -190Z", decor.accent) +
  pen.line("M84 -216q22 -6 26 -24", decor.accent, 8) +
  pen.line("M-46 -258q-12 -20 0 -38t0 -34M-12 -258q-12 -20 0 -38", "#ffffff", 6, 0.4);

/** A counter with cupboards, and shelves with jars above. */
export const counter: Furniture = (pen, decor, random) => {
  const jars = range(7).map(
    (index) =>
      pen.fill(
        box(-142 + index * 42, -408 - (index % 3) * 8, 28, 44 + (index % 3) * 8, 6),
        ["#d9826a", "#e8d3a3", "#8fae84", "#9fc0cc", "#e0b04f"][index % 5] ?? "#e8d3a3",
      ) +
      pen.fill(box(-144 + index * 42, -416 - (index % 3) * 8, 32, 10, 3), shade(decor.wood, 0.1)),
  );
  const cups = range(5).map(
    (index) =>
      pen.fill(
        box(-130 + index * 54, -300, 32, 28, 6),
        random.pick(["#f6f1e6", decor.accent, decor.cloth]),
      ) + pen.line(`M${-98 + index * 54} -294q14 2 0 16`, "#f6f1e6", 4),
  );
  return (
    pen.fill(box(-164, -362, 328, 12, 3), shade(decor.wood, 0.05)) +
    jars.join("") +
    pen.fill(box(-164, -272, 328, 12, 3), shade(decor.wood, 0.05)) +
    cups.join("") +
    pen.fill(box(-168, -176, 336, 176, 4), shade(decor.panel, 0.05)) +
    pen.fill(box(-178, -192, 356, 22, 5), shade(decor.wood, 0.07)) +
    pen.line(
      "M-156 -158H-60V-16H-156ZM-48 -158H48V-16H-48ZM60 -158H156V-16H60Z",
      shade(decor.panel, -0.1),
      4,
    ) +
    pen.fill(oval(-70, -90, 6) + oval(38, -90, 6) + oval(70, -90, 6), "#d9a94a") +
    pen.fill("M60 -192C52 -226 122 -226 114 -192Z", "#f1ead8") +
    pen.fill(oval(74, -216, 13) + oval(98, -218, 14) + oval(86, -226, 12), "#c8443c") +
    pen.fill(box(-120, -216, 66, 25, 12), "#c98f4a") +
    pen.line("M-106 -214l8 16M-88 -215l8 16M-72 -214l6 14", "#f0d9a3", 4)
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
export const sofa: Furniture = (pen, decor) => {
  const dark = shade(decor.cloth, -0.07);
  return (
    pen.fill(box(-150, -28, 18, 28) + box(132, -28, 18, 28), decor.wood) +
    pen.fill(box(-160, -212, 320, 170, 34), decor.cloth) +
    pen.fill(box(-136, -118, 134, 64, 16) + box(2, -118, 134, 64, 16), shade(decor.cloth, 0.06)) +
    pen.fill(box(-176, -66, 352, 46, 14), dark) +
    pen.fill(
      box(-196, -152, 62, 130, 28) + box(134, -152, 62, 130, 28),
      shade(decor.cloth, -0.03),
    ) +
    pen.place(
      pen.fill(box(-42, -42, 84, 84, 14), decor.accent) +
        pen.line("M-30 -30L30 30M-30 30L30 -30", shade(decor.accent, 0.14), 4),
      -92,
      -138,
      1,
      1,
      12,
    ) +
    pen.place(pen.fill(box(-36, -36, 72, 72, 12), "#f1e3c4"), 98, -134, 1, 1, -14)
  );
};

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

/** A blackboard with chalk drawings. */
export const blackboard: Furniture = (pen, decor) =>
  pen.fill(box(-214, -520, 428, 268, 6), decor.wood) +
  pen.fill(box(-200, -506, 400, 240), "#3f5a50") +
  pen.line(
    "M-164 -340L-110 -440L-56 -340ZM20 -400a40 40 0 1 0 80 0a40 40 0 1 0 -80 0M60 -470v24M60 -354v24M-10 -400h22M108 -400h22M-160 -470h120M-160 -452h80M40 -306h120",
    "#f1efe3",
    4,
    0.8,
  ) +
  pen.fill(box(-150, -258, 44, 9, 3), "#f6f3ea") +
  pen.fill(box(-180, -250, 360, 8), shade(decor.wood, 0.06)) +
  pen.fill(box(-120, -118, 240, 118), shade(decor.wood, 0.06)) +
  pen.fill(box(-138, -132, 276, 18, 4), shade(decor.wood, 0.12)) +
  pen.fill(oval(86, -150, 17), "#c8443c") +
  pen.fill(box(-100, -150, 80, 18, 2), decor.accent) +
  pen.fill(box(-92, -166, 70, 16, 2), decor.cloth);

/** A workbench under a board of tools. */
export const workbench: Furniture = (pen, decor) =>
  pen.fill(box(-176, -470, 352, 210, 5), shade(decor.panel, -0.04)) +
  pen.line(
    "M-130 -440v96M-150 -440h40M-60 -440v110M-76 -330q16 30 32 0M10 -440l40 96M40 -440l-28 96M96 -440v60M76 -440h40M140 -430a22 22 0 1 1 -2 44",
    shade(decor.wood, -0.1),
    10,
  ) +
  pen.line("M-130 -400v56M-60 -390v60", decor.accent, 12) +
  pen.fill(box(-192, -172, 384, 26, 4), shade(decor.wood, 0.08)) +
  pen.fill(box(-170, -148, 30, 148) + box(140, -148, 30, 148), decor.wood) +
  pen.fill(box(-120, -140, 240, 60, 4), shade(decor.wood, -0.06)) +
  pen.line("M-20 -110H20", "#d9a94a", 7) +
  pen.fill(box(-150, -214, 74, 42, 4), decor.accent) +
  pen.line("M-132 -214q18 -26 38 0", shade(decor.accent, -0.14), 7) +
  pen.fill("M60 -172l18 -60h40l18 60Z", "#8fa3ad") +
  pen.light(oval(98, -246, 26), pen.glow("#bfe8f2", 0.8)) +
  pen.fill(oval(98, -240, 15), "#9fdcef", 0.9);

/** A throne between banners. */
export const throne: Furniture = (pen, decor) => {
  const banner = (x: number): string =>
    pen.fill(`M${x - 44} -640H${x + 44}V-330L${x} -372L${x - 44} -330Z`, decor.cloth) +
    pen.fill(`M${x} -560l14 34l36 4l-27 24l8 36l-31 -19l-31 19l8 -36l-27 -24l36 -4Z`, "#e0b44d") +
    pen.line(`M${x - 52} -640H${x + 52}`, "#d9a94a", 8);
  return (
    banner(-196) +
    banner(196) +
    pen.fill(box(-150, -26, 300, 26) + box(-190, -8, 380, 12), "#b9aeb5") +
    pen.fill("M-84 -26V-300L-70 -350L-44 -316L0 -376L44 -316L70 -350L84 -300V-26Z", "#d9a94a") +
    pen.fill(box(-64, -290, 128, 180, 18), "#a3343f") +
    pen.fill(box(-84, -122, 168, 46, 8), "#b33f49") +
    pen.fill(box(-104, -176, 34, 150, 10) + box(70, -176, 34, 150, 10), "#c9963c") +
    pen.fill(oval(-87, -180, 21) + oval(87, -180, 21) + oval(0, -376, 14), "#e8c05a")
  );
};

/** A desk with a lamp, papers and a globe. */
export const desk: Furniture = (pen, decor, _random, lit) =>
  pen.fill(box(-170, -150, 90, 150, 4) + box(80, -150, 90, 150, 4), decor.wood) +
  pen.line("M-154 -104H-96M-154 -58H-96M96 -104H154M96 -58H154", shade(decor.wood, -0.1), 4) +
  pen.fill(
    oval(-125, -126, 5) + oval(-125, -80, 5) + oval(125, -126, 5) + oval(125, -80, 5),
    "#d9a94a",
  ) +
  pen.fill(box(-190, -170, 380, 24, 5), shade(decor.wood, 0.09)) +
  pen.light(oval(-112, -250, 110), pen.glow("#ffdf9a", lit ? 0.8 : 0.4)) +
  pen.line("M-112 -172V-236", "#c9963c", 7) +
  pen.fill("M-156 -232L-138 -282H-86L-68 -232Z", decor.accent) +
  pen.fill(oval(-112, -172, 32, 7), "#c9963c") +
  pen.fill(box(-30, -178, 92, 8, 1), "#f6efe0") +
  pen.fill(box(-22, -186, 80, 8, 1), "#fbf7ec") +
  pen.line("M120 -172v-18M92 -212a34 34 0 0 0 56 -30", "#c9963c", 5) +
  pen.fill(oval(116, -224, 31), "#5f9ab0") +
  pen.fill(
    "M98 -240q14 -12 22 0t-4 20t-22 -8ZM124 -212q12 -10 18 -2q-4 14 -16 16Z",
    "#8fb86a",
    0.98,
  );

/** A long counter with bottles and a coffee machine. */
export const bar: Furniture = (pen, decor, random) => {
  const bottles = range(13).map((index) =>
    pen.fill(
      box(-190 + index * 30, -420, 16, 50, 4) + box(-185.5 + index * 30, -440, 7, 24, 2),
      random.pick(["#5f8a6a", "#b5713a", "#7d5a94", "#c8544a", "#8fb0bf"]),
    ),
  );
  return (
    pen.fill(box(-214, -372, 428, 12, 3), shade(decor.wood, 0.05)) +
    bottles.join("") +
    pen.fill(box(-214, -278, 428, 12, 3), shade(decor.wood, 0.05)) +
    pen.fill(
      range(9)
        .map((index) => box(-192 + index * 45, -310, 28, 32, 6))
        .join(""),
      "#f3ebdc",
    ) +
    pen.fill(box(-90, -258, 120, 66, 8), "#c9ced3") +
    pen.fill(box(-80, -248, 100, 20, 4), "#8f979f") +
    pen.line("M-58 -226v14M-10 -226v14", "#4a4d55", 8) +
    pen.fill(box(-216, -178, 432, 178, 4), shade(decor.wood, -0.03)) +
    pen.fill(box(-230, -196, 460, 24, 6), shade(decor.wood, 0.1)) +
    pen.line(
      range(6)
        .map((index) => `M${-180 + index * 72} -156V-16`)
        .join(""),
      shade(decor.wood, -0.12),
      5,
    ) +
    pen.fill("M100 -196C92 -236 172 -236 164 -196Z", "#e8d0a0") +
    pen.fill(oval(118, -222, 15) + oval(146, -222, 15), "#c98f4a")
  );
};

/** Old trunks, a covered mirror and boxes. */
export const trunks: Furniture = (pen, decor, random) =>
  pen.fill(box(-60, -300, 120, 210, 58), shade(decor.wood, 0.1)) +
  pen.fill(box(-46, -286, 92, 182, 44), "#bcd3d9") +
  pen.light("M-34 -160L10 -270H30L-16 -150Z", "#ffffff", 0.35) +
  pen.fill(box(-180, -96, 150, 96, 6), random.pick(["#7a4f32", "#5f6f5a"])) +
  pen.fill(box(-186, -106, 162, 24, 8), shade(decor.wood, 0.03)) +
  pen.line("M-150 -84V0M-60 -84V0", "#d9a94a", 8) +
  pen.fill(box(20, -110, 130, 110, 3), "#c2955c") +
  pen.line("M20 -74H150M84 -110V0", "#ad8149", 6) +
  pen.fill(box(44, -168, 92, 58, 3), "#cfa46c") +
  pen.fill(box(-150, -136, 84, 30, 4), decor.cloth);

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
