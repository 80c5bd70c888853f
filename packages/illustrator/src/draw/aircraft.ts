import { shade } from "../colour.ts";
import { box, oval, range } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A propeller plane, centred on (0, 0). */
export function drawPlane(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#d9533f", "#e0b03f", "#4f8ab0", "#f1ead8"]);
  const wing = brush.colours[1] ?? "#f6efdf";
  return (
    pen.fill("M-84 -12L-104 -50H-84L-58 -14Z", wing) +
    pen.fill("M10 -14L-14 -54H12L40 -16Z", shade(wing, -0.07)) +
    pen.fill("M-96 -10C-60 -24 20 -32 66 -20Q88 -12 88 2Q86 18 62 20C10 24 -60 6 -96 -2Z", paint) +
    pen.fill("M-92 -2C-40 8 30 14 88 4Q84 18 62 20C10 24 -60 6 -92 -2Z", "#2a2038", 0.15) +
    (brush.lit
      ? pen.light("M28 -24Q34 -38 50 -36Q62 -32 66 -20Z", "#ffe3a3")
      : pen.fill("M28 -24Q34 -38 50 -36Q62 -32 66 -20Z", "#a9cbd8")) +
    pen.fill(oval(-20, -10, 4) + oval(-4, -11, 4) + oval(12, -11, 4), "#a9cbd8") +
    pen.fill("M16 2L-34 44H-4L46 6Z", wing) +
    pen.fill("M-78 -4L-104 10H-86L-62 0Z", wing) +
    pen.fill(oval(92, 0, 4, 34), "#e8e8e6", 0.6) +
    pen.fill(oval(89, 0, 6, 7), "#34343a")
  );
}

/** A hot-air balloon, centred on (0, -50). */
export function drawBalloon(brush: Brush): string {
  const { pen, random } = brush;
  const one = mainColour(brush, ["#d9533f", "#e08a3c", "#4f8ab0", "#7d5aa0", "#d9607a"]);
  const two = brush.colours[1] ?? random.pick(["#f6e3b0", "#fbf3e3", "#e8b53c"]);
  const hull =
    "M0 -100C24 -100 38 -84 38 -64C38 -46 20 -32 9 -22H-9C-20 -32 -38 -46 -38 -64C-38 -84 -24 -100 0 -100Z";
  return (
    pen.fill(hull, one) +
    pen.fill(
      "M0 -100C-20 -98 -28 -84 -28 -64C-28 -46 -14 -32 -7 -22H-3C-8 -32 -14 -46 -14 -64C-14 -84 -8 -98 0 -100ZM0 -100C20 -98 28 -84 28 -64C28 -46 14 -32 7 -22H3C8 -32 14 -46 14 -64C14 -84 8 -98 0 -100Z",
      two,
    ) +
    pen.fill(
      "M6 -100C26 -98 38 -84 38 -64C38 -46 20 -32 9 -22H2C20 -40 28 -70 6 -100Z",
      "#2a2038",
      0.13,
    ) +
    pen.light("M-27 -78Q-26 -90 -14 -95Q-21 -86 -22 -74Z", "#ffffff", 0.4) +
    pen.line("M-7 -22L-5 -11M7 -22L5 -11", "#5b4330", 0.9) +
    (brush.lit ? pen.light(oval(0, -19, 15), pen.glow("#ffc860", 0.8)) : "") +
    pen.fill(box(-6, -11, 12, 10, 1.6), "#a3703f") +
    pen.fill(box(-6.8, -12, 13.6, 2.6, 1.2), "#7a5030") +
    pen.line("M-5 -6H5M-5 -3H5", "#7a5030", 0.7)
  );
}

/** An airship, centred on (0, 0). */
export function drawAirship(brush: Brush): string {
  const { pen } = brush;
  const hull = mainColour(brush, ["#c9b28a", "#a8b5c0", "#d9743f"]);
  return (
    pen.fill("M-84 0L-116 -32H-96L-66 -14ZM-84 0L-116 32H-96L-66 14Z", shade(hull, -0.14)) +
    pen.fill(
      "M-104 0C-80 -34 -20 -42 20 -40C70 -36 100 -18 108 0C100 18 70 36 20 40C-20 42 -80 34 -104 0Z",
      hull,
    ) +
    pen.fill(
      "M-104 0C-60 16 60 16 108 0C100 18 70 36 20 40C-20 42 -80 34 -104 0Z",
      "#2a2038",
      0.13,
    ) +
    pen.line("M-70 -26Q-10 -34 96 -12M-98 0H108M-70 26Q-10 34 96 12", shade(hull, -0.1), 1.4, 0.8) +
    pen.fill(box(-22, 40, 56, 16, 6), "#7a5636") +
    pen.fill(
      range(4)
        .map((index) => box(-15 + index * 12, 44, 7, 6, 1))
        .join(""),
      "#ffe3a3",
      0.98,
    )
  );
}

/** A rocket, centred on (0, -50). */
export function drawRocket(brush: Brush): string {
  const { pen } = brush;
  const hull = mainColour(brush, ["#f1ece2", "#d5dbe0"]);
  const fins = brush.colours[1] ?? "#d9453d";
  return (
    pen.light(oval(0, 6, 34, 44), pen.glow("#ffb04d", 0.7)) +
    pen.light("M-10 -8Q-16 14 0 40Q16 14 10 -8Z", "#f58f2f") +
    pen.light("M-5 -8Q-8 8 0 22Q8 8 5 -8Z", "#ffe38a") +
    pen.fill("M-16 -40Q-34 -28 -32 0L-13 -12ZM16 -40Q34 -28 32 0L13 -12Z", fins) +
    pen.fill("M0 -104C18 -86 22 -50 13 -10H-13C-22 -50 -18 -86 0 -104Z", hull) +
    pen.fill("M0 -104C18 -86 22 -50 13 -10H3C12 -50 12 -86 0 -104Z", "#2a2038", 0.13) +
    pen.fill("M0 -104C8 -97 13 -88 15.6 -78H-15.6C-13 -88 -8 -97 0 -104Z", fins) +
    pen.fill(oval(0, -60, 9.4), "#8f979f") +
    pen.light(oval(0, -60, 6.6), "#9fdcef") +
    pen.light(oval(-2, -62.4, 2), "#ffffff", 0.8) +
    pen.line("M-16 -34H16M-14.4 -20H14.4", shade(hull, -0.16), 1.4) +
    pen.fill("M-3 -36H3V-4H-3Z", fins)
  );
}

/** A flying saucer, centred on (0, 0). */
export function drawUfo(brush: Brush): string {
  const { pen } = brush;
  const hull = mainColour(brush, ["#9aa8b5", "#8fa3a8"]);
  return (
    pen.light(
      "M-34 14L-78 120H78L34 14Z",
      pen.linear([
        [0, "#d8ffb8", 0.65],
        [1, "#d8ffb8", 0],
      ]),
    ) +
    pen.light("M-32 -8C-30 -44 30 -44 32 -8Z", "#bff0e6", 0.85) +
    pen.fill(oval(0, -14, 8, 11), "#6fae54") +
    pen.fill(oval(-3, -17, 2, 3) + oval(3, -17, 2, 3), "#1f1c24") +
    pen.fill("M-84 4Q-60 -12 0 -12Q60 -12 84 4Q60 22 0 22Q-60 22 -84 4Z", hull) +
    pen.fill("M-84 4Q0 14 84 4Q60 22 0 22Q-60 22 -84 4Z", "#2a2038", 0.2) +
    pen.light(
      range(7)
        .map((index) => oval(-57 + index * 19, 5 + Math.sin((index / 6) * Math.PI) * 5, 4))
        .join(""),
      "#ffe38a",
    )
  );
}

/** A kite with a tail, centred on (0, 0). */
export function drawKite(brush: Brush): string {
  const { pen } = brush;
  const one = mainColour(brush, ["#d9533f", "#4f8ab0", "#e0a83c"]);
  const two = brush.colours[1] ?? "#f6e3b0";
  return (
    pen.line("M0 52Q-30 80 -10 100T-24 150M0 0Q60 120 20 240", "#f3ede0", 1.4, 0.7) +
    pen.fill("M0 -60L36 -10L0 52L-36 -10Z", one) +
    pen.fill("M0 -60L36 -10H0ZM0 52L-36 -10H0Z", two) +
    pen.line("M0 -60V52M-36 -10H36", shade(one, -0.2), 1.6) +
    pen.fill("M-22 78l-14 -7v14ZM-22 78l14 -7v14ZM-12 112l-14 -7v14ZM-12 112l14 -7v14Z", one)
  );
}
