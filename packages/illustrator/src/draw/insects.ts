import { shade } from "../colour.ts";
import { oval, range, star } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A butterfly, centred on (0, 0). */
export function drawButterfly(brush: Brush): string {
  const { pen } = brush;
  const wing = mainColour(brush, ["#e8863a", "#5f8fd0", "#e0687a", "#f0c24f", "#9a74c0"]);
  const side =
    pen.fill("M2 -6C14 -52 62 -62 66 -34C66 -14 30 0 2 2Z", wing) +
    pen.fill("M2 2C30 0 52 14 44 36C32 52 8 30 2 8Z", shade(wing, -0.07)) +
    pen.fill(oval(46, -34, 8) + oval(30, 24, 6), "#fff3d0", 0.92) +
    pen.fill(oval(46, -34, 3.6), shade(wing, -0.25), 0.9);
  return (
    side +
    pen.place(side, 0, 0, -1, 1) +
    pen.line("M0 -20Q-8 -38 -16 -42M0 -20Q8 -38 16 -42", "#3a302e", 2) +
    pen.fill(oval(0, 2, 4.4, 24), "#3a302e")
  );
}

/** A bee, centred on (0, 0). */
export function drawBee(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#f0b93c"]);
  return (
    pen.fill(oval(-10, -34, 20, 26) + oval(18, -32, 16, 22), "#e8f3f6", 0.8) +
    pen.fill(oval(0, 0, 44, 30), coat) +
    pen.fill(
      "M-16 -28Q-6 0 -16 28L-28 23Q-18 0 -28 -23ZM10 -29Q20 0 10 29H-2Q8 0 -2 -29Z",
      "#38302e",
    ) +
    pen.fill(oval(44, -2, 17), "#38302e") +
    pen.light(oval(49, -6, 5), "#ffffff") +
    pen.fill(oval(50.4, -5.6, 2.6), "#1f1c24", 0.98) +
    pen.line("M48 -18Q56 -32 66 -30", "#38302e", 2.6)
  );
}

/** A dragonfly, centred on (0, 0). */
export function drawDragonfly(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#3f9aa0", "#4f74b5", "#6fa34f"]);
  const wings = range(4).map((index) =>
    pen.place(
      pen.fill("M0 0Q-12 -44 0 -70Q12 -44 0 0Z", "#dff1f4", 0.72),
      14,
      0,
      1,
      1,
      [-38, 12, 142, 168][index] ?? 0,
    ),
  );
  return (
    wings.join("") +
    pen.line("M-72 10L24 -2", coat, 7) +
    pen.line("M-60 8.4V8.5M-44 6.4V6.5M-28 4.4V4.5", shade(coat, 0.15), 3) +
    pen.fill(oval(24, -2, 13, 10), coat) +
    pen.fill(oval(40, -5, 9), shade(coat, -0.1)) +
    pen.light(star(43, -8, 3, 1, 4), "#ffffff", 0.8)
  );
}
