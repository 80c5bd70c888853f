import { shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A table with a cloth or bare. */
export function drawTable(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a3703f", "#8f6240", "#b98a5c"]);
  return (
    pen.fill("M-92 -84H-78L-82 0H-92ZM78 -84H92V0H82Z", shade(wood, -0.1)) +
    pen.fill(box(-96, -88, 192, 16), shade(wood, -0.06)) +
    pen.fill("M-112 -100H112L118 -88H-118Z", shade(wood, 0.05)) +
    pen.fill(box(-118, -89, 236, 6, 2), wood)
  );
}

/** A wooden chair. */
export function drawChair(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a3703f", "#5f8a74", "#b5533c"]);
  return (
    pen.line("M-24 -48V-3M24 -48V-3M-20 -52V-96M20 -52V-96", shade(wood, -0.07), 6) +
    pen.fill(box(-26, -100, 52, 13, 5) + box(-22, -78, 44, 9, 3), wood) +
    pen.fill("M-24 -58H24L30 -44H-30Z", shade(wood, 0.06)) +
    pen.fill(box(-30, -45, 60, 6, 2), wood) +
    pen.line("M-28 -40V0M28 -40V0", wood, 6)
  );
}

/** A standard lamp. */
export function drawLamp(brush: Brush): string {
  const { pen } = brush;
  const shadeColour = mainColour(brush, ["#f0d9a3", "#e8a66a", "#d98a8a"]);
  return (
    pen.light(oval(0, -80, 62), pen.glow("#ffdf96", brush.lit ? 0.75 : 0.4)) +
    pen.line("M0 -3V-72", "#5b4a3a", 2.6) +
    pen.fill(oval(0, -2, 14, 3.4), "#5b4a3a") +
    pen.fill("M-20 -70L-12 -98H12L20 -70Q0 -66 -20 -70Z", shadeColour) +
    pen.light("M-20 -70L-17 -80H17L20 -70Q0 -66 -20 -70Z", "#fff3cf", 0.55)
  );
}

/** A lantern on the ground. */
export function drawLantern(brush: Brush): string {
  const { pen } = brush;
  const iron = mainColour(brush, ["#3f4148", "#a8433a"]);
  return (
    pen.light(oval(0, -40, 110), pen.glow("#ffcf70", 0.7)) +
    pen.line("M-22 -78Q0 -112 22 -78", iron, 4) +
    pen.fill("M-28 -72L0 -92L28 -72Z", iron) +
    pen.light(box(-22, -72, 44, 62, 4), "#ffe6a3") +
    pen.light("M0 -56Q13 -38 0 -22Q-13 -38 0 -56Z", "#ff9f3c") +
    pen.line("M-22 -70V-10M0 -70V-58M22 -70V-10", iron, 4) +
    pen.fill(box(-30, -12, 60, 12, 3), iron)
  );
}

/** A candle in a holder. */
export function drawCandle(brush: Brush): string {
  const { pen } = brush;
  const wax = mainColour(brush, ["#f6ecd6", "#d9533f"]);
  return (
    pen.light(oval(0, -84, 80), pen.glow("#ffd480", 0.75)) +
    pen.fill("M-32 -12Q0 -4 32 -12Q28 0 0 0Q-28 0 -32 -12Z", "#b98a3c") +
    pen.line("M30 -10q16 -6 10 6", "#b98a3c", 4) +
    pen.fill(box(-11, -66, 22, 56, 3), wax) +
    pen.fill("M-11 -62Q-6 -50 -4 -60Q2 -44 5 -60H11V-66H-11Z", shade(wax, 0.06)) +
    pen.line("M0 -66V-72", "#3a302e", 2) +
    pen.light("M0 -102Q13 -82 0 -70Q-13 -82 0 -102Z", "#ffb13c") +
    pen.light("M0 -90Q6 -80 0 -73Q-6 -80 0 -90Z", "#fff0b8")
  );
}

/** A small pile of books. */
export function drawBook(brush: Brush): string {
  const { pen, random } = brush;
  const first = mainColour(brush, ["#b5433a", "#3f6f8a", "#5f8a5a"]);
  const others = ["#e0a83c", "#4f5f8a", "#8a5a74", "#3f7f74"];
  return range(3)
    .map((index) => {
      const colour = index === 0 ? first : random.pick(others);
      const [x, w, y] = [random.between(-8, 8) - 62, 124 - index * 12, -32 - index * 32];
      return (
        pen.fill(box(x, y, w, 30, 5), colour) +
        pen.fill(box(x + 10, y + 6, w - 8, 18), "#f6ecd6") +
        pen.line(
          `M${short(x + 14)} ${y + 12}h${short(w - 18)}M${short(x + 14)} ${y + 18}h${short(w - 18)}`,
          "#d9c9a8",
          1.6,
        )
      );
    })
    .join("");
}

/** A tall clock. */
export function drawClock(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#7a4f32", "#8f6240"]);
  return (
    pen.fill("M-20 -84Q0 -108 20 -84Z", shade(wood, 0.04)) +
    pen.fill(box(-20, -86, 40, 86, 2), wood) +
    pen.fill(oval(0, -70, 14), "#f6ecd6") +
    pen.line("M0 -70V-79M0 -70L6 -66", "#3a302e", 1.6) +
    pen.fill(box(-12, -52, 24, 36, 2), shade(wood, -0.14)) +
    pen.line("M0 -52L3 -28", "#d9a94a", 1.2) +
    pen.fill(oval(3.4, -26, 4.6), "#e0b44d") +
    pen.fill(box(-23, -6, 46, 6, 2), shade(wood, -0.08))
  );
}

/** A guitar leaning. */
export function drawGuitar(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#c2813f", "#a3603a"]);
  const body =
    pen.fill(box(-3.6, -98, 7.2, 52, 1), "#5b3d2b") +
    pen.fill(
      "M0 -54C16 -54 16 -38 12 -32C26 -24 24 0 0 0C-24 0 -26 -24 -12 -32C-16 -38 -16 -54 0 -54Z",
      wood,
    ) +
    pen.fill(oval(0, -26, 7), "#3a2a22") +
    pen.line("M-1.4 -94V-10M1.4 -94V-10", "#f0e6d0", 0.6) +
    pen.fill(box(-9, -13, 18, 3), "#3a2a22") +
    pen.fill(box(-5, -106, 10, 11, 2), "#4a3426");
  return pen.place(body, 0, 0, 1, 1, 9);
}

/** An upright piano. */
export function drawPiano(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#4a3a3a", "#6b4430", "#2f3038"]);
  return (
    pen.fill(box(-64, -98, 128, 98, 4), wood) +
    pen.fill(box(-68, -102, 136, 8, 3), shade(wood, 0.08)) +
    pen.fill(box(-54, -88, 108, 30, 3), shade(wood, 0.05)) +
    pen.fill(box(-20, -84, 40, 22, 1), "#f6f0e2") +
    pen.fill(box(-70, -52, 140, 16, 2), shade(wood, 0.05)) +
    pen.fill(box(-62, -52, 124, 9), "#fbf8f0") +
    pen.fill(
      range(20)
        .map((index) => (index % 7 === 2 || index % 7 === 6 ? "" : box(-58 + index * 6, -52, 3, 5)))
        .join(""),
      "#24222a",
    ) +
    pen.line("M-58 -36V-2M58 -36V-2", wood, 8)
  );
}

/** A telescope on its tripod. */
export function drawTelescope(brush: Brush): string {
  const { pen } = brush;
  const tube = mainColour(brush, ["#d9a94a", "#4f6a9a"]);
  return (
    pen.line("M0 -58L-24 0M0 -58L24 0M0 -58V0", "#7a5636", 4) +
    pen.place(
      pen.fill(box(-44, -8, 60, 16, 2), shade(tube, -0.08)) +
        pen.fill(box(10, -11, 44, 22, 3), tube) +
        pen.fill(box(50, -13, 9, 26, 3), shade(tube, -0.16)) +
        pen.fill(box(-52, -6, 10, 12, 3), "#34343a"),
      0,
      -64,
      1,
      1,
      -32,
    )
  );
}

/** A vase of flowers. */
export function drawVase(brush: Brush): string {
  const { pen } = brush;
  const china = mainColour(brush, ["#4f8a9a", "#d9a066", "#f1ead8"]);
  const heads = [
    [-22, -84, "#e0687a"],
    [0, -96, "#f2c14f"],
    [22, -82, "#b27ac4"],
    [-10, -72, "#f5f1e3"],
    [12, -70, "#e5743f"],
  ] as const;
  return (
    pen.line(heads.map(([x, y]) => `M0 -46Q${x * 0.4} -60 ${x} ${y}`).join(""), "#5f8f4c", 2.4) +
    pen.fill("M0 -50Q-30 -54 -34 -68Q-12 -66 0 -50ZM0 -50Q30 -54 34 -66Q12 -66 0 -50Z", "#6f9f5c") +
    heads
      .map(
        ([x, y, colour]) =>
          pen.fill(
            range(6)
              .map((index) =>
                oval(x + Math.cos(index * 1.05) * 7, y + Math.sin(index * 1.05) * 7, 5),
              )
              .join(""),
            colour,
          ) + pen.fill(oval(x, y, 4.4), "#f8dc8a"),
      )
      .join("") +
    pen.fill("M-13 -50H13L9 -40Q26 -28 20 -8Q16 0 0 0Q-16 0 -20 -8Q-26 -28 -9 -40Z", china) +
    pen.line("M-19 -22Q0 -16 19 -22", shade(china, 0.16), 3)
  );
}

/** A barrel. */
export function drawBarrel(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a3703f", "#8f6240"]);
  return (
    pen.fill("M-30 -96H30Q46 -48 30 0H-30Q-46 -48 -30 -96Z", wood) +
    pen.fill("M8 -96H30Q46 -48 30 0H8Q20 -48 8 -96Z", "#2a2038", 0.12) +
    pen.line("M-14 -95Q-20 -48 -14 -1M0 -96V0M14 -95Q20 -48 14 -1", shade(wood, -0.1), 1.8) +
    pen.line("M-35 -76Q0 -68 35 -76M-36 -22Q0 -14 36 -22", "#5a5a60", 6) +
    pen.fill(oval(0, -96, 30, 6), shade(wood, 0.08))
  );
}

/** A wooden crate. */
export function drawCrate(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#c2955c", "#b08550"]);
  return (
    pen.fill(box(-52, -96, 104, 96, 2), wood) +
    pen.line("M-50 -66H50M-50 -33H50", shade(wood, -0.09), 2.4) +
    pen.line("M-46 -90L46 -6", shade(wood, 0.06), 11) +
    pen.line("M-47 -91H47V-5H-47Z", shade(wood, -0.05), 9)
  );
}

/** An anchor. */
export function drawAnchor(brush: Brush): string {
  const { pen } = brush;
  return (
    pen.line(
      "M0 -78V-6M-22 -62H22M-40 -34Q-34 -6 0 -6Q34 -6 40 -34",
      mainColour(brush, ["#56616d", "#3f4a56"]),
      9,
    ) + pen.line(oval(0, -88, 9), "#56616d", 6)
  );
}
