import { shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

const shadow = "#2a2038";

/** A pizza on its board, seen from the front. */
export function drawPizza(brush: Brush): string {
  const { pen, random } = brush;
  const sauce = mainColour(brush, ["#d9593a"]);
  const toppings = range(11).map((index) => {
    const angle = (index / 11) * Math.PI * 2;
    const reach = index % 2 === 0 ? 0.72 : 0.36;
    const [x, y] = [Math.cos(angle) * 104 * reach, -56 + Math.sin(angle) * 30 * reach];
    return index % 3 === 0
      ? pen.fill(`M${short(x - 14)} ${short(y)}q14 -14 28 0q-14 10 -28 0Z`, "#5f9a4a")
      : pen.fill(oval(x, y, 15, 6), random.pick(["#b8322e", "#c23b33"]));
  });
  return (
    pen.fill(oval(0, -22, 140, 24) + box(-140, -40, 280, 18), "#a8784a") +
    pen.fill(oval(0, -40, 140, 30), "#c39362") +
    pen.fill(oval(0, -50, 126, 42), "#d9a45a") +
    pen.fill(oval(0, -56, 112, 35), sauce) +
    pen.fill(oval(0, -57, 106, 32), "#f3cf7a", 0.9) +
    toppings.join("")
  );
}

/** A burger. */
export function drawBurger(brush: Brush): string {
  const { pen } = brush;
  const bun = mainColour(brush, ["#cf8f45", "#c9863c"]);
  const seeds = [-40, -18, 6, 30, -28, 16]
    .map((x, index) => oval(x, -80 + (index % 3) * 7 + Math.abs(x) * 0.12, 3.4, 2))
    .join("");
  return (
    pen.fill("M-62 -22H62V-14Q62 0 46 0H-46Q-62 0 -62 -14Z", bun) +
    pen.fill(box(-68, -36, 136, 17, 8), "#6b4028") +
    pen.fill("M-66 -38H66L58 -28L34 -38L10 -26L-12 -38L-38 -27Z", "#f2b93c") +
    pen.fill(box(-60, -46, 120, 9, 4), "#c8403a") +
    pen.fill(
      "M-70 -46Q-62 -56 -54 -48Q-44 -58 -34 -48Q-24 -58 -14 -48Q-4 -58 6 -48Q16 -58 26 -48Q36 -58 46 -48Q56 -58 70 -46Z",
      "#7aa84a",
    ) +
    pen.fill("M-64 -52C-64 -86 -34 -98 0 -98C34 -98 64 -86 64 -52Z", bun) +
    pen.fill("M26 -93C50 -86 64 -74 64 -52H34Q44 -72 26 -93Z", shadow, 0.1) +
    pen.fill(seeds, "#f6e6c0")
  );
}

/** An ice cream in a cone, in a holder. */
export function drawIceCream(brush: Brush): string {
  const { pen } = brush;
  const first = mainColour(brush, ["#f3b8c4", "#f6ecd0", "#a8d0b0"]);
  const second = brush.colours[1] ?? "#8a5a3c";
  const waffle = range(4)
    .map(
      (index) =>
        `M${-22 + index * 12} -44L${-6 + index * 8} -8M${26 - index * 12} -44L${8 - index * 8} -8`,
    )
    .join("");
  return (
    pen.fill("M-28 -48H28L3 0H-3Z", "#d9a45a") +
    pen.line(waffle, "#b98040", 2, 0.7) +
    pen.fill(oval(-13, -60, 20, 18), second) +
    pen.fill(oval(14, -60, 20, 18), first) +
    pen.fill(oval(0, -78, 22, 20), first) +
    pen.fill(
      "M-33 -52Q-24 -40 -14 -50Q-4 -38 6 -50Q18 -40 33 -52Q30 -60 0 -58Q-30 -60 -33 -52Z",
      first,
    ) +
    pen.light(oval(-8, -86, 6, 4), "#ffffff", 0.5) +
    pen.fill(oval(4, -98, 6), "#c8283a")
  );
}

/** A ring with icing. */
export function drawDonut(brush: Brush): string {
  const { pen, random } = brush;
  const icing = mainColour(brush, ["#f08fb0", "#8a5a3c", "#f6ecd0", "#8fc4d9"]);
  const sprinkles = range(14).map((index) => {
    const angle = Math.PI * (0.06 + (index / 13) * 1.9);
    const reach = 0.62 + (index % 3) * 0.12;
    const [x, y] = [Math.cos(angle) * 62 * reach, -56 - Math.sin(angle) * 28 * reach];
    return pen.line(
      `M${short(x)} ${short(y)}l${short(random.between(-5, 5))} 3`,
      random.pick(["#f2cf45", "#5f9ab0", "#ffffff", "#7aa84a", "#d9453d"]),
      3,
    );
  });
  return (
    pen.fill("M-70 -44C-70 -80 70 -80 70 -44C74 -10 40 0 0 0C-40 0 -74 -10 -70 -44Z", "#cf9450") +
    pen.fill(
      "M-70 -48C-70 -98 70 -98 70 -48Q62 -30 52 -40Q42 -24 28 -34Q14 -22 0 -32Q-14 -20 -28 -33Q-44 -24 -52 -40Q-62 -32 -70 -48Z",
      icing,
    ) +
    pen.fill(oval(0, -62, 20, 9), shade("#a8703a", -0.04)) +
    sprinkles.join("")
  );
}

/** A wedge of cheese. */
export function drawCheese(brush: Brush): string {
  const { pen } = brush;
  const rind = mainColour(brush, ["#f0c04a", "#f2cf6a"]);
  return (
    pen.fill("M-80 -34L46 -92Q78 -78 80 -46L-80 -26Z", shade(rind, 0.07)) +
    pen.fill("M-80 -34L80 -54V0H-80Z", rind) +
    pen.fill(
      oval(-40, -18, 12, 8) + oval(10, -30, 9, 7) + oval(44, -14, 13, 9) + oval(-8, -8, 6, 4),
      shade(rind, -0.14),
    )
  );
}

/** An egg. */
export function drawEgg(brush: Brush): string {
  const { pen } = brush;
  const shell = mainColour(brush, ["#f0dcc0", "#f6efe2", "#d9a87a"]);
  return (
    pen.fill(
      "M0 -98C24 -98 40 -60 40 -38C40 -12 22 0 0 0C-22 0 -40 -12 -40 -38C-40 -60 -24 -98 0 -98Z",
      shell,
    ) +
    pen.fill("M16 -90C32 -78 40 -54 40 -38C40 -12 22 0 6 0Q34 -34 16 -90Z", shadow, 0.09) +
    pen.light(oval(-14, -66, 7, 13), "#ffffff", 0.5)
  );
}

/** A glass of wine, or of a drink in the described colour. */
export function drawWineGlass(brush: Brush): string {
  const { pen } = brush;
  const wine = mainColour(brush, ["#8a1f3a"]);
  return (
    pen.fill("M-26 -98C-34 -64 -22 -46 0 -46C22 -46 34 -64 26 -98Z", "#eef4f6", 0.55) +
    pen.fill("M-29 -78C-30 -58 -18 -48 0 -48C18 -48 30 -58 29 -78Z", wine) +
    pen.fill(oval(0, -78, 29, 4), shade(wine, 0.1)) +
    pen.line("M0 -46V-6", "#dfe8ec", 4) +
    pen.fill(oval(0, -3, 24, 4.4), "#dfe8ec") +
    pen.light("M-20 -92Q-26 -72 -18 -58", "#ffffff", 0.3) +
    pen.line("M-26 -98C-34 -64 -22 -46 0 -46C22 -46 34 -64 26 -98", "#ffffff", 2, 0.8)
  );
}

/** A bottle with a label. */
export function drawBottle(brush: Brush): string {
  const { pen } = brush;
  const glass = mainColour(brush, ["#3f6a4a", "#5f3f2f", "#3f6f83"]);
  const body =
    "M-7 -98H7V-74C8 -64 18 -60 18 -48V-4Q18 0 14 0H-14Q-18 0 -18 -4V-48C-18 -60 -8 -64 -7 -74Z";
  return (
    pen.fill(body, glass) +
    pen.fill("M4 -98H7V-74C8 -64 18 -60 18 -48V-4Q18 0 14 0H6V-50Z", shadow, 0.16) +
    pen.fill(box(-18, -42, 36, 26), "#f3e9d2") +
    pen.line("M-10 -34H10M-10 -28H10M-6 -22H6", "#a8804a", 1.6) +
    pen.fill(box(-8, -100, 16, 9, 2), "#a3343f") +
    pen.light(box(-13, -58, 4, 14, 2), "#ffffff", 0.4)
  );
}
