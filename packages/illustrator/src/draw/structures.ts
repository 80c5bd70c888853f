import { shade } from "../colour.ts";
import { box, oval, range, short, smooth } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A tent with an open flap. */
export function drawTent(brush: Brush): string {
  const { pen, lit } = brush;
  const cloth = mainColour(brush, ["#e08a3c", "#4f8f83", "#c8543f", "#d9b45a"]);
  const inside = "M-16 0L2 -80L22 0Z";
  return (
    pen.line("M-70 2L-50 -30M92 2L60 -36", "#e8dfcc", 1.4) +
    pen.fill("M-62 0L0 -96L30 -86L88 0Z", shade(cloth, -0.07)) +
    pen.fill("M-62 0L0 -96L34 0Z", cloth) +
    (lit
      ? pen.light(inside, "#ffd98a") + pen.light(oval(4, -20, 60), pen.glow("#ffcf80", 0.45))
      : pen.fill(inside, "#4a3a3a")) +
    pen.fill("M2 -80L22 0H30Z", shade(cloth, 0.08)) +
    pen.line("M0 -96L-6 -106M0 -96L8 -106", "#6b4a33", 2)
  );
}

/** An arched stone bridge. */
export function drawBridge(brush: Brush): string {
  const { pen, random } = brush;
  const stone = mainColour(brush, ["#b9aea2", "#a89a8c", "#c2a98a"]);
  const marks = range(40).map(
    () =>
      `M${short(random.between(-140, 130))} ${short(-random.between(52, 88))}h${short(random.between(6, 12))}`,
  );
  return (
    pen.fill(
      "M-160 0V-62Q0 -104 160 -62V0H122A42 44 0 0 0 38 0H-38A42 44 0 0 0 -122 0Z",
      stone,
      1,
    ) +
    pen.line(marks.join(""), shade(stone, -0.08), 1.6, 0.7) +
    pen.line("M-122 0A42 44 0 0 1 -38 0M38 0A42 44 0 0 1 122 0", shade(stone, -0.12), 5) +
    pen.line("M-162 -76Q0 -118 162 -76", shade(stone, 0.06), 8) +
    pen.line(
      range(9)
        .map(
          (index) => `M${-144 + index * 36} ${short(-64 - (1 - ((index - 4) / 4) ** 2) * 20)}v-14`,
        )
        .join(""),
      shade(stone, -0.03),
      6,
    )
  );
}

/** A well with a little roof. */
export function drawWell(brush: Brush): string {
  const { pen, random } = brush;
  const stone = mainColour(brush, ["#b5aca2", "#a39c98"]);
  const marks = range(12).map(
    () => `M${short(random.between(-26, 20))} ${short(-random.between(4, 30))}h6`,
  );
  return (
    pen.line("M-22 -32V-76M22 -32V-76", "#7a5636", 4.6) +
    pen.fill("M-36 -70L0 -100L36 -70L32 -64L0 -88L-32 -64Z", brush.parts.get("roof") ?? "#a5573f") +
    pen.fill("M-30 -68L0 -92L30 -68Z", "#8a4a38", 0.6) +
    pen.line("M-22 -58H22M0 -58V-44", "#5b4330", 2.4) +
    pen.fill("M-5 -46H5L4 -37H-4Z", "#8a6238") +
    pen.fill(oval(0, -34, 31, 7), shade(stone, 0.06)) +
    pen.fill(oval(0, -34, 24, 4.6), "#35505f") +
    pen.fill("M-31 -34Q-31 -2 -28 0Q0 6 28 0Q31 -2 31 -34Q0 -20 -31 -34Z", stone) +
    pen.line(marks.join(""), shade(stone, -0.1), 1.4)
  );
}

/** A fountain with two basins. */
export function drawFountain(brush: Brush): string {
  const { pen } = brush;
  const stone = mainColour(brush, ["#cfc8be", "#c2bfc4"]);
  const jets =
    "M0 -84Q-16 -98 -24 -60M0 -84Q16 -98 24 -60M0 -84Q-8 -104 -12 -62M0 -84Q8 -104 12 -62M-24 -50Q-38 -46 -44 -16M24 -50Q38 -46 44 -16";
  return (
    pen.fill("M-60 -18Q-58 0 -50 0H50Q58 0 60 -18Z", stone) +
    pen.fill(oval(0, -18, 60, 9), shade(stone, 0.06)) +
    pen.fill(oval(0, -18, 52, 6.4), "#7fb8c6") +
    pen.fill(box(-6, -54, 12, 38), stone) +
    pen.fill("M-30 -56Q-20 -42 0 -42Q20 -42 30 -56Z", shade(stone, -0.04)) +
    pen.fill(oval(0, -56, 30, 5), "#9fd0d9") +
    pen.fill(box(-3, -80, 6, 26, 2), stone) +
    pen.line(jets, "#e6f5f8", 2.2, 0.85)
  );
}

/** A figure on a plinth. */
export function drawStatue(brush: Brush): string {
  const { pen } = brush;
  const stone = mainColour(brush, ["#b9bcb8", "#8fa89a", "#c9c2b4"]);
  return (
    pen.fill(
      box(-20, -30, 40, 30) + box(-25, -6, 50, 6) + box(-23, -34, 46, 6),
      shade(stone, -0.06),
    ) +
    pen.fill("M-10 -34C-14 -54 -12 -72 -6 -78H6C12 -72 14 -54 10 -34Z", stone) +
    pen.fill(oval(0, -87, 7, 8), stone) +
    pen.line("M7 -74Q18 -80 20 -96M-7 -74Q-16 -64 -12 -52", stone, 5) +
    pen.fill("M2 -34C6 -54 6 -70 3 -78H6C12 -72 14 -54 10 -34Z", "#2a2038", 0.14)
  );
}

/** A run of picket fence. */
export function drawFence(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#f1eadb", "#a07850", "#c2a47c"]);
  const pickets = range(9).map(
    (index) => `M${-150 + index * 36} 0V-82L${-138 + index * 36} -98L${-126 + index * 36} -82V0Z`,
  );
  return (
    pen.fill(box(-168, -66, 330, 12) + box(-168, -30, 330, 12), shade(wood, -0.07)) +
    pen.fill(pickets.join(""), wood) +
    pen.fill(
      range(9)
        .map(
          (index) => `M${-138 + index * 36} -98L${-126 + index * 36} -82V0H${-134 + index * 36}Z`,
        )
        .join(""),
      "#2a2038",
      0.1,
    )
  );
}

/** A street lamp. */
export function drawLamppost(brush: Brush): string {
  const { pen, lit } = brush;
  const iron = mainColour(brush, ["#3d444c", "#46403f", "#3f5a54"]);
  const glass = "M-6 -80L-4 -67H4L6 -80Z";
  return (
    (lit ? pen.light(oval(0, -74, 44), pen.glow("#ffdf96", 0.8)) : "") +
    pen.line("M0 0V-66", iron, 2.8) +
    pen.fill("M-5 0L-2.6 -9H2.6L5 0Z", iron) +
    pen.line("M-7 -58H7", iron, 1.6) +
    (lit ? pen.light(glass, "#fff0bd") : pen.fill(glass, "#e3ecec")) +
    pen.line("M-6 -80L-4 -67H4L6 -80ZM0 -80V-67", iron, 1.1) +
    pen.fill("M-8 -80L0 -90L8 -80Z", iron) +
    pen.fill(oval(0, -91, 1.6), iron)
  );
}

/** A bench. */
export function drawBench(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a3703f", "#8f6a48", "#5f8a6a"]);
  return (
    pen.line("M-72 0V-96M72 0V-96M-52 0V-44M52 0V-44M-80 -58H-66M66 -58H80", "#3d3f45", 6) +
    pen.fill(box(-86, -98, 172, 13, 3) + box(-86, -80, 172, 13, 3), wood) +
    pen.fill(box(-90, -50, 180, 12, 3), shade(wood, 0.05)) +
    pen.fill(box(-88, -39, 176, 7, 2), shade(wood, -0.1))
  );
}

/** A snowman with hat and scarf. */
export function drawSnowman(brush: Brush): string {
  const { pen } = brush;
  const scarf = mainColour(brush, ["#c8443c", "#3f7fa8", "#5f9a5c"]);
  return (
    pen.line("M-18 -52L-40 -68M-34 -64L-42 -60M18 -52L40 -66M34 -62L44 -62", "#5b4433", 2) +
    pen.fill(oval(0, -22, 28, 23), "#f3f6f9") +
    pen.fill(oval(0, -54, 20, 18), "#f7f9fb") +
    pen.fill(oval(0, -79, 14.5, 13.5), "#fbfcfd") +
    pen.fill(
      "M8 -1Q34 -8 27 -30Q24 -12 8 -1ZM8 -38Q24 -46 19 -62Q16 -48 8 -38ZM6 -67Q18 -74 13 -88Q12 -74 6 -67Z",
      "#8fa8c8",
      0.4,
    ) +
    pen.fill(
      oval(-5, -82, 1.7) +
        oval(5, -82, 1.7) +
        oval(0, -58, 1.8) +
        oval(0, -50, 1.8) +
        oval(0, -30, 2),
      "#2d2b30",
      0.98,
    ) +
    pen.fill("M0 -80L17 -76L0 -74.6Z", "#e5833c") +
    pen.line("M-5 -72Q0 -69 6 -72.6", "#2d2b30", 1.2) +
    pen.fill("M-15 -70Q0 -62 15 -70L14 -64Q0 -56 -14 -64Z", scarf) +
    pen.fill("M6 -64L14 -65L16 -44L9 -44Z", shade(scarf, -0.05)) +
    pen.fill(box(-10, -108, 20, 19, 1.5), "#35333a") +
    pen.fill(box(-16, -91, 32, 3.6, 1.8), "#35333a") +
    pen.fill(box(-10, -95, 20, 4), scarf)
  );
}

/** A scarecrow. */
export function drawScarecrow(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#7d5a94", "#b5533c", "#4f7299"]);
  return (
    pen.line("M0 0V-90M-34 -60H34", "#7a5636", 3.6) +
    pen.line("M-38 -60L-46 -66M-38 -60L-47 -58M38 -60L46 -66M38 -60L47 -58", "#d9b25f", 1.6) +
    pen.fill("M-36 -66H36L34 -54H14L16 -22L8 -28L0 -20L-8 -28L-16 -22L-14 -54H-34Z", coat) +
    pen.fill(box(-12, -34, 8, 8), "#e0b85c") +
    pen.fill(oval(0, -78, 12, 12), "#e6c98f") +
    pen.fill(oval(-4, -80, 1.7) + oval(4, -80, 1.7), "#3a2f2a") +
    pen.line("M-5 -73Q0 -70 5 -73M-3 -74V-71M1 -73.6V-70.6", "#3a2f2a", 0.9) +
    pen.fill("M-20 -85Q0 -92 20 -85Q10 -86 8 -87L4 -104L-6 -102L-9 -87Z", "#a8763f")
  );
}

/** A fire of logs. */
export function drawCampfire(brush: Brush): string {
  const { pen } = brush;
  return (
    pen.light(oval(0, -36, 110), pen.glow("#ffb04d", 0.55)) +
    pen.line("M-40 -4L30 -18M40 -4L-30 -18M-14 -2L18 -22", "#6b4630", 11) +
    pen.line("M-40 -4L30 -18M40 -4L-30 -18", "#8f6240", 3) +
    pen.light(
      "M-28 -14C-36 -40 -14 -52 -12 -76C0 -66 -2 -58 4 -52C8 -70 16 -78 14 -96C32 -74 38 -42 26 -14Q0 -4 -28 -14Z",
      "#f2792f",
    ) +
    pen.light(
      "M-18 -14C-24 -34 -8 -42 -6 -58C4 -48 6 -44 8 -38C12 -48 16 -54 15 -64C26 -46 26 -28 18 -14Q0 -8 -18 -14Z",
      "#fbb03b",
    ) +
    pen.light("M-9 -14C-12 -26 -2 -32 0 -42C8 -32 14 -26 9 -14Q0 -10 -9 -14Z", "#ffe9a0") +
    pen.fill(
      range(7)
        .map((index) => oval(-42 + index * 14, 0 + Math.abs(index - 3) * -1.4, 8, 5.6))
        .join(""),
      "#8f8a88",
    )
  );
}

/** A signpost with two arms. */
export function drawSignpost(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a07850", "#8a6a48"]);
  return (
    pen.line("M0 0V-98", shade(wood, -0.1), 6) +
    pen.fill("M-6 -92H38L48 -82L38 -72H-6Z", wood) +
    pen.fill("M6 -66H-34L-44 -56L-34 -46H6Z", shade(wood, 0.05)) +
    pen.line("M4 -84H34M4 -79H28M-4 -58H-30M-4 -53H-26", shade(wood, -0.2), 1.8) +
    pen.line(
      smooth(
        [
          [-12, 0],
          [-9, -10],
          [-14, -16],
        ],
        false,
      ),
      "#6f9a55",
      2.4,
    )
  );
}
