import { shade } from "../colour.ts";
import { oval, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { drawApple } from "./food-and-toys.ts";

const shadow = "#2a2038";

/** An orange, or another round fruit in the described colour. */
export function drawOrange(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#e8892f", "#ee9a3a"]);
  return (
    pen.fill(oval(0, -46, 48, 46), skin) +
    pen.fill("M22 -87A48 46 0 0 1 4 0Q40 -34 22 -87Z", shadow, 0.1) +
    pen.light(oval(-18, -66, 10, 7), "#ffffff", 0.4) +
    pen.fill("M0 -90Q20 -108 34 -94Q18 -82 0 -90Z", "#6f9f4c") +
    pen.fill(oval(0, -90, 4, 3), "#6b4630")
  );
}

/** A lemon. */
export function drawLemon(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#f2cf45", "#f0d65a"]);
  return (
    pen.fill(
      "M-62 -40C-52 -84 34 -88 52 -54Q64 -48 66 -38Q60 -30 52 -28C34 2 -46 4 -62 -40Z",
      skin,
    ) +
    pen.fill("M-50 -20C-20 4 34 2 52 -28Q20 -12 -50 -20Z", shadow, 0.1) +
    pen.light(oval(-14, -64, 18, 6), "#ffffff", 0.45)
  );
}

/** A pear. */
export function drawPear(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#b8c25a", "#d3c05a", "#c9a04a"]);
  return (
    pen.line("M0 -92Q2 -102 10 -108", "#6b4630", 5) +
    pen.fill(
      "M-14 -92C-4 -100 10 -100 16 -90C22 -70 46 -58 44 -28C42 -6 22 2 0 2C-24 2 -44 -8 -44 -30C-44 -58 -20 -70 -14 -92Z",
      skin,
    ) +
    pen.fill("M16 -90C22 -70 46 -58 44 -28C42 -6 22 2 6 2Q32 -30 16 -90Z", shadow, 0.1) +
    pen.light(oval(-22, -40, 6, 12), "#ffffff", 0.4)
  );
}

/** A hand of bananas. */
export function drawBanana(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#f0cf4a", "#f4d95f"]);
  const banana = "M-70 -70C-66 -20 -20 8 40 -2Q58 -6 72 -18L66 -28Q8 -24 -22 -84Q-40 -100 -56 -92Z";
  return (
    pen.place(pen.fill(banana, shade(skin, -0.06)), 4, -12, 0.94, 0.94, -14) +
    pen.fill(banana, skin) +
    pen.fill("M-70 -70C-66 -20 -20 8 40 -2Q-24 -12 -56 -80Z", shadow, 0.08) +
    pen.fill("M-56 -92L-62 -106L-46 -104L-36 -94Z", "#8a6a3a") +
    pen.fill("M72 -18L66 -28L74 -30L80 -22Z", "#5b4630")
  );
}

/** A bunch of grapes. */
export function drawGrapes(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#6a4a86", "#8fae5a", "#7d3f5f"]);
  const rows = [5, 6, 5, 4, 3, 1];
  const berries = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index) => {
      const x = (index - (count - 1) / 2) * 19;
      const y = -78 + row * 14;
      return (
        pen.fill(oval(x, y, 11), shade(skin, ((index + row) % 3) * 0.04 - 0.04)) +
        pen.light(oval(x - 3, y - 4, 3, 2.4), "#ffffff", 0.45)
      );
    }),
  );
  return (
    pen.line("M0 -84V-104", "#7a5a3a", 5) +
    pen.fill("M0 -92Q24 -116 48 -98Q44 -78 22 -80Q8 -80 0 -92Z", "#6f9f4c") +
    berries.join("")
  );
}

/** A strawberry. */
export function drawStrawberry(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#d43c3f"]);
  const seeds = [-24, -8, 8, 24, -16, 0, 16, -6, 8]
    .map((x, index) => oval(x, -66 + Math.floor(index / 4) * 20 + (index % 2) * 5, 2.4, 3.4))
    .join("");
  return (
    pen.fill("M-44 -72C-48 -36 -20 -4 0 2C20 -4 48 -36 44 -72C30 -88 -30 -88 -44 -72Z", skin) +
    pen.fill(seeds, "#f6d98a") +
    pen.light(oval(-28, -62, 5, 9), "#ffffff", 0.35) +
    pen.fill(
      "M0 -80L-40 -88Q-22 -66 -14 -72L-6 -58L2 -72L14 -60L20 -72Q30 -68 40 -88Z",
      "#5f9a4a",
    ) +
    pen.line("M0 -84Q2 -96 10 -100", "#5f8a3f", 5)
  );
}

/** Two cherries on one stalk. */
export function drawCherry(brush: Brush): string {
  const { pen } = brush;
  const skin = mainColour(brush, ["#b8283a"]);
  const cherry = (x: number, y: number): string =>
    pen.fill(oval(x, y, 25, 24), skin) + pen.light(oval(x - 9, y - 9, 6, 4), "#ffffff", 0.5);
  return (
    pen.line("M-26 -44Q-14 -84 20 -100Q28 -70 30 -36", "#6f8a3f", 4.4) +
    pen.fill("M20 -100Q44 -112 58 -92Q38 -84 20 -100Z", "#6f9f4c") +
    cherry(-28, -24) +
    cherry(30, -23)
  );
}

/** A bowl of fruit. */
export function drawFruitBowl(brush: Brush): string {
  const { pen } = brush;
  const china = mainColour(brush, ["#5f8fa8", "#d9743f", "#efe6d2", "#7a9a6f"]);
  const plain = { ...brush, colours: [] };
  const put = (markup: string, x: number, y: number, scale: number, turn = 0): string =>
    pen.place(markup, x, y, scale, scale, turn);
  return (
    put(drawBanana(plain), 34, -44, 0.5, -32) +
    put(drawGrapes(plain), -50, -40, 0.42, 14) +
    put(drawPear(plain), -14, -44, 0.56, -12) +
    put(drawOrange({ ...plain, colours: ["#e8892f"] }), -38, -38, 0.44) +
    put(drawApple({ ...plain, colours: ["#c8403a"] }), 8, -38, 0.46, 6) +
    put(drawApple({ ...plain, colours: ["#8fae4a"] }), 48, -38, 0.4, -8) +
    pen.fill("M-84 -48H84C82 -18 48 -6 30 -4H-30C-48 -6 -82 -18 -84 -48Z", china) +
    pen.fill("M40 -48H84C82 -18 48 -6 30 -4H10Q46 -18 40 -48Z", shadow, 0.1) +
    pen.fill(`M-88 -54H88V${short(-46)}H-88Z`, shade(china, 0.07)) +
    pen.fill(oval(0, -2, 34, 5), shade(china, -0.08))
  );
}
