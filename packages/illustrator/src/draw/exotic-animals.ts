import { shade } from "../colour.ts";
import { blob, oval, range, smooth } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { tube } from "./tube.ts";
import { eyes } from "./eyes.ts";

/** A frog. */
export function drawFrog(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#5f9a4a", "#6fae54", "#4f8f5a"]);
  return (
    pen.fill(oval(-48, -20, 28, 22) + oval(48, -20, 28, 22), shade(coat, -0.07)) +
    pen.fill(
      smooth([
        [-48, -10],
        [-44, -52],
        [0, -72],
        [44, -52],
        [48, -10],
        [0, 0],
      ]),
      coat,
    ) +
    pen.fill(oval(0, -20, 34, 20), "#e3e6b8", 0.95) +
    pen.fill(
      oval(-26, -2, 20, 5) + oval(26, -2, 20, 5) + oval(-60, -2, 18, 5) + oval(60, -2, 18, 5),
      shade(coat, -0.03),
    ) +
    pen.fill(oval(-26, -82, 17) + oval(26, -82, 17), coat) +
    pen.fill(oval(-26, -84, 11) + oval(26, -84, 11), "#f6f2da") +
    pen.fill(oval(-25, -83, 5.6, 7) + oval(25, -83, 5.6, 7), "#221c1e", 0.98) +
    pen.light(oval(-23, -87, 2) + oval(27, -87, 2), "#ffffff") +
    pen.line("M-34 -52Q0 -36 34 -52", shade(coat, -0.25), 2.4)
  );
}

/** A turtle. */
export function drawTurtle(brush: Brush): string {
  const { pen } = brush;
  const shell = mainColour(brush, ["#7a6a3f", "#5f7a4a", "#8a6238"]);
  const skin = "#8fa860";
  return (
    pen.fill("M-92 -16L-116 -6L-90 -4Z", skin) +
    pen.fill(
      smooth([
        [70, -30],
        [96, -78],
        [122, -88],
        [138, -72],
        [122, -56],
        [104, -40],
        [86, -14],
      ]),
      skin,
    ) +
    pen.fill(oval(-58, -10, 22, 14) + oval(54, -10, 22, 14), shade(skin, -0.06)) +
    pen.fill("M-100 -18C-92 -84 -48 -104 0 -104C48 -104 88 -80 94 -18Q0 0 -100 -18Z", shell) +
    pen.line(
      "M-54 -86L-34 -52L-60 -20M34 -52L52 -88M34 -52L58 -20M-34 -52H34M0 -104L-34 -52M0 -104L34 -52M-34 -52L-8 -14M34 -52L8 -14",
      shade(shell, -0.12),
      4,
    ) +
    pen.line("M-98 -20Q0 -2 92 -20", shade(shell, 0.12), 7) +
    pen.fill(oval(122, -76, 4.4), "#221c1e", 0.98) +
    pen.light(oval(123, -78, 1.5), "#ffffff") +
    pen.line("M126 -62Q132 -62 136 -68", shade(skin, -0.22), 2)
  );
}

/** A snail. */
export function drawSnail(brush: Brush): string {
  const { pen } = brush;
  const shell = mainColour(brush, ["#c98f52", "#b5713a", "#d9a86a"]);
  return (
    pen.fill("M-90 0Q-30 -26 40 -20Q60 -22 64 -60Q72 -74 86 -62Q96 -20 70 0Z", "#d9bf94") +
    pen.line("M72 -64L66 -92M82 -62L92 -88", "#d9bf94", 4) +
    pen.fill(oval(66, -94, 5) + oval(93, -90, 5), "#3a2c2a") +
    pen.fill(oval(-10, -52, 50, 46), shell) +
    pen.line(
      "M38 -46A46 42 0 1 0 -10 -8A34 32 0 0 0 -10 -78A24 24 0 0 0 -12 -30A14 14 0 0 0 -10 -58",
      shade(shell, -0.13),
      5,
    )
  );
}

/** A snake. */
export function drawSnake(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#6f9a4a", "#8a9a3f", "#b5823f"]);
  const coil = "M-96 -8C-60 -44 -40 4 -8 -10C24 -26 2 -56 34 -62C58 -66 62 -92 86 -86";
  return (
    tube(pen, coil, skin, 17) +
    pen.line(coil, shade(skin, -0.13), 6, 0.7) +
    pen.fill(oval(92, -86, 17, 12), skin) +
    eyes(brush, [[97, -90]], 3.4) +
    pen.line("M108 -84L122 -82L130 -88M122 -82L129 -76", "#c8443c", 2)
  );
}

/** A monkey. */
export function drawMonkey(brush: Brush): string {
  const { pen } = brush;
  const coat = mainColour(brush, ["#7a5238", "#8f6444"]);
  const face = "#e3bf98";
  return (
    tube(pen, "M18 -10C54 -6 56 -44 42 -50C34 -52 34 -40 41 -41", coat, 5) +
    pen.fill("M-20 -50C-30 -22 -26 -2 -16 0H16C26 -2 30 -22 20 -50Z", coat) +
    pen.fill(oval(0, -22, 13, 17), face, 0.97) +
    tube(pen, "M-18 -46C-36 -36 -34 -20 -22 -14M18 -46C36 -36 34 -20 22 -14", coat, 7.4) +
    pen.fill(oval(-14, -2, 11, 5) + oval(14, -2, 11, 5), face) +
    pen.fill(oval(-25, -74, 9) + oval(25, -74, 9), coat) +
    pen.fill(oval(-25, -74, 5) + oval(25, -74, 5), face) +
    pen.fill(oval(0, -74, 24, 23), coat) +
    pen.fill(oval(-8, -78, 9.6, 10) + oval(8, -78, 9.6, 10) + oval(0, -65, 16, 11), face) +
    eyes(
      brush,
      [
        [-8, -78],
        [8, -78],
      ],
      3,
    ) +
    pen.line("M-2 -70L-1 -69M2 -70L1 -69M-8 -62Q0 -56 8 -62", "#6b4030", 1.3)
  );
}

/** A sitting panda. */
export function drawPanda(brush: Brush): string {
  const { pen } = brush;
  const white = brush.colours[0] ?? "#f6f3ec";
  const black = "#35323a";
  return (
    pen.fill("M-34 -54C-46 -20 -36 0 -22 0H22C36 0 46 -20 34 -54Z", white) +
    pen.fill(oval(-27, -6, 17, 11) + oval(27, -6, 17, 11), black) +
    pen.fill(oval(-27, -6, 9, 6) + oval(27, -6, 9, 6), "#7d747a") +
    pen.fill(
      "M-34 -56C-50 -44 -48 -26 -34 -24Q-26 -34 -22 -52ZM34 -56C50 -44 48 -26 34 -24Q26 -34 22 -52Z",
      black,
    ) +
    pen.fill(oval(-25, -94, 10.6) + oval(25, -94, 10.6), black) +
    pen.fill(oval(0, -74, 35, 29), white) +
    pen.place(pen.fill(oval(0, 0, 9, 7), black), -14, -76, 1, 1, -38) +
    pen.place(pen.fill(oval(0, 0, 9, 7), black), 14, -76, 1, 1, 38) +
    pen.light(oval(-13, -77, 2.8) + oval(13, -77, 2.8), "#ffffff") +
    pen.fill(oval(0, -65, 5, 3.6), black) +
    pen.line("M0 -62V-59M0 -59Q-5 -54 -9 -58M0 -59Q5 -54 9 -58", black, 1.3) +
    pen.line("M34 -10L46 -68", "#7fa650", 4) +
    pen.fill(
      blob(brush.random, 50, -64, 9, 4, 0.1, 6) + blob(brush.random, 44, -76, 4, 9, 0.1, 6),
      "#8fb85a",
    )
  );
}

/** A koala: the panda's build in grey. */
export function drawKoala(brush: Brush): string {
  return drawPanda({ ...brush, colours: [mainColour(brush, ["#a3a8ad", "#949a9f"])] });
}

/** An elephant. */
export function drawElephant(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#98a0a8", "#a39f9f", "#8a94a0"]);
  const dark = shade(skin, -0.09);
  return (
    pen.line("M-58 -64Q-68 -50 -64 -30", dark, 3) +
    pen.fill("M-46 -34H-28V0H-46ZM12 -34H30V0H12Z", dark) +
    pen.fill(
      "M-58 -40C-64 -78 -34 -94 0 -92C24 -92 40 -80 40 -56C40 -40 34 -30 20 -28H-44Q-56 -30 -58 -40Z",
      skin,
    ) +
    pen.fill("M-58 -42H-38L-36 0H-56ZM0 -36H22L20 0H0Z", skin) +
    pen.fill(
      range(3)
        .map((index) => oval(-53 + index * 6, -1.6, 2.6, 1.8) + oval(3 + index * 6, -1.6, 2.6, 1.8))
        .join(""),
      "#f0e9dc",
    ) +
    tube(pen, "M70 -66C78 -48 70 -30 74 -14Q78 -4 86 -8", skin, 12) +
    pen.line("M68 -44H76M67 -34H76M68 -24H78", dark, 1.4, 0.8) +
    pen.fill(oval(52, -74, 27, 25), skin) +
    pen.fill("M62 -56Q76 -52 84 -62Q78 -46 62 -48Z", "#f6f0e2") +
    pen.fill(
      smooth([
        [34, -94],
        [14, -96],
        [4, -74],
        [12, -48],
        [28, -42],
        [40, -60],
      ]),
      dark,
    ) +
    pen.fill(
      smooth([
        [32, -88],
        [17, -88],
        [11, -72],
        [17, -54],
        [27, -50],
        [35, -64],
      ]),
      "#d9a8a4",
      0.45,
    ) +
    eyes(brush, [[58, -78]], 3)
  );
}
