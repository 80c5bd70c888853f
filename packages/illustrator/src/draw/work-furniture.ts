import type { Furniture } from "./furniture.ts";
import { shade } from "../colour.ts";
import { box, oval, range } from "../geometry.ts";

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
