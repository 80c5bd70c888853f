import { shade } from "../colour.ts";
import { box, oval, range, star } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

/** A steaming cup on a saucer. */
export function drawCup(brush: Brush): string {
  const { pen } = brush;
  const china = mainColour(brush, ["#f6f1e6", "#5f9ab0", "#d9743f"]);
  return (
    pen.line("M-14 -74q-10 -12 0 -22t0 -20M10 -74q-10 -12 0 -22t0 -20", "#ffffff", 4, 0.6) +
    pen.fill(oval(0, -6, 62, 8), shade(china, -0.06)) +
    pen.line("M36 -52C66 -54 62 -22 30 -22", china, 8) +
    pen.fill("M-42 -62H42C42 -30 32 -8 16 -6H-16C-32 -8 -42 -30 -42 -62Z", china) +
    pen.fill("M18 -62H42C42 -30 32 -8 16 -6H2Q18 -26 18 -62Z", "#2a2038", 0.09) +
    pen.fill(oval(0, -62, 42, 8), shade(china, 0.04)) +
    pen.fill(oval(0, -61, 36, 6), "#7a4a2c")
  );
}

/** A teapot. */
export function drawTeapot(brush: Brush): string {
  const { pen } = brush;
  const china = mainColour(brush, ["#5f9ab0", "#e0a83c", "#c8544a"]);
  return (
    pen.line("M-46 -58C-84 -66 -80 -18 -44 -24", china, 9) +
    pen.fill("M40 -30Q62 -34 66 -70L80 -66Q78 -16 40 -10Z", china) +
    pen.fill(
      "M-50 -40C-50 -68 -26 -78 0 -78C26 -78 50 -68 50 -40C50 -14 34 0 0 0C-34 0 -50 -14 -50 -40Z",
      china,
    ) +
    pen.fill("M-26 -74Q0 -92 26 -74Z", shade(china, 0.07)) +
    pen.fill(oval(0, -88, 7), shade(china, -0.08)) +
    pen.light("M-38 -50Q-34 -66 -18 -70Q-28 -60 -30 -44Z", "#ffffff", 0.45)
  );
}

/** A cake with candles. */
export function drawCake(brush: Brush): string {
  const { pen } = brush;
  const icing = mainColour(brush, ["#f3b8c4", "#fbf3e3", "#8a5a3c"]);
  const drips =
    "M-58 -58H58V-42Q52 -30 46 -42Q38 -28 30 -42Q22 -34 14 -42Q6 -26 -2 -42Q-12 -32 -20 -42Q-30 -28 -38 -42Q-48 -32 -58 -42Z";
  return (
    pen.fill(oval(0, -3, 76, 7), "#e8e3da") +
    pen.fill(box(-58, -58, 116, 56, 6), "#e6c08a") +
    pen.fill(box(-58, -30, 116, 6), "#d9727a") +
    pen.fill(oval(0, -58, 58, 10), shade(icing, 0.05)) +
    pen.fill(drips, icing) +
    [-30, -10, 10, 30]
      .map(
        (x, index) =>
          pen.fill(
            box(x - 3, -84, 6, 26, 2),
            ["#5f9ab0", "#e0a83c", "#6fae74", "#c8544a"][index] ?? "#e0a83c",
          ) +
          pen.light(oval(x, -90, 14), pen.glow("#ffd480", 0.6)) +
          pen.light(`M${x} -100Q${x + 6} -90 ${x} -85Q${x - 6} -90 ${x} -100Z`, "#ffb13c"),
      )
      .join("")
  );
}

/** A loaf. */
export function drawBread(brush: Brush): string {
  const { pen } = brush;
  const crust = mainColour(brush, ["#c98f4a", "#b97f3f"]);
  return (
    pen.fill("M-90 0C-112 -50 -84 -92 0 -92C84 -92 112 -50 90 0Z", crust) +
    pen.fill(
      "M-90 0C-100 -24 -98 -40 -92 -52C-40 -30 40 -30 92 -52C98 -40 100 -24 90 0Z",
      "#2a2038",
      0.1,
    ) +
    pen.line("M-46 -80Q-30 -60 -40 -40M-6 -86Q10 -64 0 -42M36 -84Q50 -64 42 -44", "#f3dcae", 8)
  );
}

/** Apples. */
export function drawApple(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#c8403a", "#7aa64a", "#d9743a"]);
  return (
    pen.fill(
      "M0 -78C-20 -94 -58 -84 -54 -44C-52 -14 -28 4 0 -4C28 4 52 -14 54 -44C58 -84 20 -94 0 -78Z",
      skin,
    ) +
    pen.fill("M26 -82C58 -80 58 -20 26 -2Q38 -40 26 -82Z", "#2a2038", 0.12) +
    pen.light("M-38 -54Q-36 -72 -22 -74Q-32 -64 -32 -46Z", "#ffffff", 0.45) +
    pen.line("M0 -78Q2 -92 10 -98", "#6b4630", 5) +
    pen.fill("M8 -90Q28 -108 42 -92Q26 -82 8 -90Z", "#6f9f4c")
  );
}

/** A ball. */
export function drawBall(brush: Brush): string {
  const { pen } = brush;
  const one = mainColour(brush, ["#d9453d", "#3f86b5", "#e0a83c"]);
  const two = brush.colours[1] ?? "#f9f4e6";
  return (
    pen.fill(oval(0, -50, 50), two) +
    pen.fill(
      "M0 -100C-28 -98 -48 -76 -50 -54Q-24 -44 -10 -60Q-2 -78 0 -100ZM50 -46C48 -18 26 0 2 0Q-6 -24 8 -40Q26 -52 50 -46ZM-34 -14Q-20 -36 2 -34Q-6 -14 -6 0Q-22 -2 -34 -14Z",
      one,
    ) +
    pen.fill("M24 -94A50 50 0 0 1 0 0Q44 -40 24 -94Z", "#2a2038", 0.1) +
    pen.light(oval(-20, -74, 10, 7), "#ffffff", 0.4)
  );
}

/** An open parasol stuck in the ground. */
export function drawParasol(brush: Brush): string {
  const { pen } = brush;
  const one = mainColour(brush, ["#d9533f", "#3f86a8", "#e0a83c"]);
  const two = brush.colours[1] ?? "#f9f4e6";
  return (
    pen.line("M0 0L-4 -88", "#8a6a48", 2.4) +
    pen.fill(
      "M-58 -56C-52 -86 -24 -100 -4 -100C18 -100 46 -86 52 -56Q26 -66 -3 -62Q-32 -66 -58 -56Z",
      one,
    ) +
    pen.fill("M-4 -100C-20 -94 -30 -80 -32 -61Q-18 -64 -3 -62Q12 -65 26 -61Q22 -84 -4 -100Z", two) +
    pen.fill("M-4 -100C-12 -90 -12 -76 -13 -63L-3 -62L7 -63Q6 -84 -4 -100Z", one)
  );
}

/** A treasure chest, open. */
export function drawChest(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#8a5a34", "#7a4f32"]);
  return (
    pen.light(oval(0, -56, 96), pen.glow("#ffe08a", 0.5)) +
    pen.fill("M-66 -62Q-66 -100 -40 -100H40Q66 -100 66 -62Z", shade(wood, -0.1)) +
    pen.fill(
      range(9)
        .map((index) => oval(-48 + index * 12, -58 - (index % 3) * 7, 10, 8))
        .join(""),
      "#f0c24a",
    ) +
    pen.light(star(-20, -76, 9, 2.4, 4) + star(26, -70, 7, 2, 4), "#fffbe0") +
    pen.fill(box(-68, -56, 136, 56, 4), wood) +
    pen.fill(
      box(-68, -56, 136, 8) + box(-68, -8, 136, 8) + box(-50, -56, 11, 56) + box(39, -56, 11, 56),
      "#d9a94a",
    ) +
    pen.fill(box(-11, -50, 22, 24, 3), "#c08f34") +
    pen.fill(oval(0, -40, 4), "#3a2c20")
  );
}

/** A wrapped gift. */
export function drawGift(brush: Brush): string {
  const { pen } = brush;
  const paper = mainColour(brush, ["#c8443c", "#4f8ab0", "#6fae74", "#e0a83c"]);
  const ribbon = brush.colours[1] ?? "#f6e3b0";
  return (
    pen.fill(box(-46, -64, 92, 64, 3), paper) +
    pen.fill(box(12, -64, 34, 64, 3), "#2a2038", 0.1) +
    pen.fill(box(-52, -78, 104, 18, 3), shade(paper, 0.05)) +
    pen.fill(box(-9, -78, 18, 78), ribbon) +
    pen.fill("M0 -78C-30 -112 -52 -92 -36 -80ZM0 -78C30 -112 52 -92 36 -80Z", ribbon) +
    pen.fill(oval(0, -80, 8), shade(ribbon, -0.1))
  );
}

/** A picnic basket. */
export function drawBasket(brush: Brush): string {
  const { pen } = brush;
  const straw = mainColour(brush, ["#c2934f", "#b5823f"]);
  const weave = range(12).map(
    (index) =>
      `M${-54 + (index % 6) * 20 + Math.floor(index / 6) * 10} ${-40 + Math.floor(index / 6) * 18}q6 -6 12 0`,
  );
  return (
    pen.line("M-46 -52Q0 -130 46 -52", shade(straw, -0.12), 7) +
    pen.fill("M-50 -52Q-30 -70 -8 -60Q10 -74 30 -62Q44 -66 50 -52Z", "#d9533f") +
    pen.fill(oval(-20, -62, 12, 9) + oval(16, -64, 10), "#f6efdf") +
    pen.fill("M-64 -54H64L54 -4Q0 4 -54 -4Z", straw) +
    pen.line(weave.join(""), shade(straw, -0.13), 3) +
    pen.fill(box(-67, -58, 134, 10, 5), shade(straw, 0.06))
  );
}

/** A teddy bear. */
export function drawToyBear(brush: Brush): string {
  const { pen } = brush;
  const fur = mainColour(brush, ["#b5824f", "#c99a66"]);
  const pale = shade(fur, 0.14);
  return (
    pen.fill(
      oval(-26, -10, 15, 13) +
        oval(26, -10, 15, 13) +
        oval(-32, -38, 10, 16) +
        oval(32, -38, 10, 16),
      shade(fur, -0.04),
    ) +
    pen.fill(oval(-26, -10, 8) + oval(26, -10, 8), pale) +
    pen.fill(oval(0, -30, 28, 28), fur) +
    pen.fill(oval(0, -28, 16, 17), pale) +
    pen.fill(oval(-22, -90, 11) + oval(22, -90, 11), fur) +
    pen.fill(oval(0, -72, 29, 26), fur) +
    pen.fill(oval(0, -64, 13, 10), pale) +
    pen.fill(oval(-11, -76, 3.2) + oval(11, -76, 3.2) + oval(0, -68, 4, 3), "#2b2224", 0.98) +
    pen.line("M-5 -61Q0 -57 5 -61", "#5b3d2b", 1.6) +
    pen.fill("M-2 -46L-18 -54V-38ZM2 -46L18 -54V-38Z", "#c8443c")
  );
}

/** Toy balloons on strings. */
export function drawPartyBalloon(brush: Brush): string {
  const { pen, random } = brush;
  const first = mainColour(brush, ["#d9453d", "#f0b93f", "#4f8ab0"]);
  const more =
    brush.colours.length > 0
      ? []
      : [random.pick(["#f0b93f", "#6fae74"]), random.pick(["#4f8ab0", "#b27ac4"])];
  const spots = [
    [0, -80],
    [-24, -66],
    [24, -64],
  ] as const;
  return [first, ...more]
    .map((colour, index) => {
      const [x, y] = spots[index]!;
      return (
        pen.line(`M0 0Q${x * 0.4} -20 ${x} ${y + 20}`, "#e8e4da", 1) +
        pen.fill(
          `M${x} ${y - 20}C${x + 20} ${y - 20} ${x + 19} ${y + 10} ${x} ${y + 20}C${x - 19} ${y + 10} ${x - 20} ${y - 20} ${x} ${y - 20}Z`,
          colour,
        ) +
        pen.light(oval(x - 6, y - 8, 3, 5), "#ffffff", 0.55)
      );
    })
    .toReversed()
    .join("");
}
