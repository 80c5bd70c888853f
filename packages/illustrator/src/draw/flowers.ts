import { shade } from "../colour.ts";
import { blob, oval, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

const stemGreen = "#5f8f4c";

function petals(count: number, x: number, y: number, reach: number, size: number): string {
  return range(count)
    .map((index) => {
      const angle = (index / count) * Math.PI * 2 - Math.PI / 2;
      return oval(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach, size);
    })
    .join("");
}

function leaf(x: number, y: number, dx: number, dy: number, wide: number): string {
  return `M${x} ${y}Q${short(x + dx * 0.3 - dy * wide)} ${short(y + dy * 0.5 + dx * wide * 0.2)} ${short(x + dx)} ${short(y + dy)}Q${short(x + dx * 0.7 + dy * wide * 0.4)} ${short(y + dy * 0.3)} ${x} ${y}Z`;
}

/** Daisies and poppies in a clump. */
export function drawFlower(brush: Brush): string {
  const { pen, random } = brush;
  const colour = mainColour(brush, ["#e8647a", "#f2c14f", "#f5f1e3", "#b27ac4", "#e5743f"]);
  const heads = [
    [0, -82],
    [-24, -60],
    [23, -54],
  ] as const;
  return heads
    .map(([x, y]) => {
      const bend = random.between(-6, 6);
      return (
        pen.line(
          `M${short(x * 0.25)} 0Q${short(x * 0.5 + bend)} ${short(y * 0.5)} ${x} ${y}`,
          stemGreen,
          2.6,
        ) +
        pen.fill(leaf(x * 0.4, y * 0.3, x < 0 ? -16 : 16, -16, 0.5), stemGreen) +
        pen.fill(petals(7, x, y, 10, 7), colour) +
        pen.fill(oval(x, y, 6.6), "#eeb83c") +
        pen.fill(oval(x - 1.4, y - 1.6, 2.4), "#f8d878", 0.9)
      );
    })
    .join("");
}

/** Tulips. */
export function drawTulip(brush: Brush): string {
  const { pen } = brush;
  const colour = mainColour(brush, ["#d9453d", "#f0b93f", "#e08aa6", "#8a5ab0"]);
  return (
    [
      [0, -84],
      [-19, -66],
      [19, -62],
    ] as const
  )
    .map(
      ([x, y]) =>
        pen.line(`M${x * 0.3} 0Q${x * 0.7} ${y * 0.4} ${x} ${y + 8}`, stemGreen, 3) +
        pen.fill(leaf(x * 0.35, -2, x <= 0 ? -14 : 14, -44, 0.22), "#6f9f5c") +
        pen.fill(
          `M${x - 10} ${y - 12}Q${x - 13} ${y + 12} ${x} ${y + 12}Q${x + 13} ${y + 12} ${x + 10} ${y - 12}L${x + 5} ${y - 4}L${x} ${y - 16}L${x - 5} ${y - 4}Z`,
          colour,
        ) +
        pen.fill(
          `M${x} ${y - 16}Q${x - 7} ${y} ${x} ${y + 12}Q${x + 7} ${y} ${x} ${y - 16}Z`,
          shade(colour, 0.07),
          0.8,
        ),
    )
    .join("");
}

/** A rose bush. */
export function drawRose(brush: Brush): string {
  const { pen, random } = brush;
  const colour = mainColour(brush, ["#c8384a", "#e58aa0", "#f3e3d0"]);
  const bush =
    pen.fill(blob(random, 0, -38, 38, 38, 0.12), "#4f7f4a") +
    pen.fill(blob(random, -8, -50, 22, 18, 0.16), "#659a58", 0.8);
  const heads = (
    [
      [0, -78],
      [-22, -54],
      [22, -56],
      [-6, -34],
      [16, -28],
    ] as const
  ).map(
    ([x, y]) =>
      pen.fill(blob(random, x, y, 10.5, 10, 0.08, 8), colour) +
      pen.line(
        `M${x - 4} ${y + 1}Q${x} ${y - 6} ${x + 4} ${y}Q${x + 2} ${y + 6} ${x - 2} ${y + 3}M${x - 7} ${y + 3}Q${x - 2} ${y + 9} ${x + 6} ${y + 5}`,
        shade(colour, -0.11),
        1.3,
      ),
  );
  return bush + heads.join("");
}

/** A sunflower. */
export function drawSunflower(brush: Brush): string {
  const { pen } = brush;
  const colour = mainColour(brush, ["#f0b429", "#eda52a"]);
  return (
    pen.line("M0 0Q4 -40 0 -72", stemGreen, 4) +
    pen.fill(leaf(1, -22, 27, -17, 0.4) + leaf(1, -34, -27, -15, 0.4), "#6f9f4c") +
    pen.fill(petals(14, 0, -78, 18, 6.4), colour) +
    pen.fill(petals(12, 0, -78, 13, 5), shade(colour, 0.05)) +
    pen.fill(oval(0, -78, 12), "#6b4426") +
    pen.fill(petals(9, 0, -78, 7, 1.4) + petals(5, 0, -78, 3.4, 1.2), "#9a6a38")
  );
}

/** Lavender in a clump. */
export function drawLavender(brush: Brush): string {
  const { pen, random } = brush;
  const colour = mainColour(brush, ["#8a74bd", "#9b86cc"]);
  const stems = range(9).map((index) => ({
    x: -40 + index * 10 + random.between(-3, 3),
    y: -random.between(66, 98),
    foot: -14 + index * 3.5,
  }));
  return (
    pen.line(
      stems
        .map(
          ({ x, y, foot }) =>
            `M${short(foot)} 0Q${short(foot)} ${short(y * 0.5)} ${short(x)} ${short(y)}`,
        )
        .join(""),
      "#7f9a6a",
      2,
    ) +
    pen.fill(
      stems
        .map(({ x, y }) =>
          range(5)
            .map((index) => oval(x + (index % 2 === 0 ? -2 : 2), y + index * 6, 4.2, 3.6))
            .join(""),
        )
        .join(""),
      colour,
    ) +
    pen.fill(
      stems.map(({ x, y }) => oval(x - 1, y - 1, 2.4) + oval(x - 2, y + 11, 2)).join(""),
      shade(colour, 0.09),
      0.9,
    )
  );
}

/** A cactus with two arms. */
export function drawCactus(brush: Brush): string {
  const { pen } = brush;
  const colour = mainColour(brush, ["#4f8a5a", "#5d9463", "#3f7f62"]);
  const arms = "M-14 -44H-28Q-34 -44 -34 -50V-64M14 -34H27Q33 -34 33 -40V-56";
  return (
    pen.line(arms, shade(colour, -0.05), 13) +
    pen.fill("M-14 0V-86C-14 -104 14 -104 14 -86V0Z", colour) +
    pen.fill("M4 -98C12 -96 14 -92 14 -86V0H4Z", "#12303a", 0.18) +
    pen.line("M-6 -2V-90M0 -2V-94M7 -2V-90M-34 -52V-60M33 -42V-52", shade(colour, 0.1), 1, 0.7) +
    pen.fill(petals(5, 0, -99, 4, 3.4), "#e8647a") +
    pen.fill(oval(0, -99, 2.2), "#f2d35b")
  );
}

/** A toadstool with a small one beside it. */
export function drawMushroom(brush: Brush): string {
  const { pen } = brush;
  const colour = mainColour(brush, ["#c8403a", "#c8403a", "#b5713a", "#d98a4f"]);
  const one =
    pen.fill("M-14 0Q-18 -30 -10 -58H10Q18 -30 14 0Q0 4 -14 0Z", "#f1e8d4") +
    pen.fill("M4 -58H10Q18 -30 14 0Q10 2 6 2Q10 -30 4 -58Z", "#5a4a5a", 0.16) +
    pen.fill("M-18 -52Q0 -42 18 -52L12 -42Q0 -36 -12 -42Z", "#e3d6bc") +
    pen.fill("M-48 -50C-46 -84 -22 -100 0 -100C22 -100 46 -84 48 -50Q0 -62 -48 -50Z", colour) +
    pen.fill("M14 -98C36 -92 47 -76 48 -50Q34 -54 22 -55.6Q30 -80 14 -98Z", "#3a1020", 0.15) +
    pen.fill(
      oval(-20, -76, 7, 6) +
        oval(8, -86, 6, 5) +
        oval(24, -68, 6.4, 5.4) +
        oval(-2, -66, 4.4, 3.6) +
        oval(-36, -60, 4.6, 3.4),
      "#fbf5e6",
      0.97,
    );
  return pen.place(one, 48, 2, 0.52) + one;
}

/** Ripe wheat. */
export function drawWheat(brush: Brush): string {
  const { pen, random } = brush;
  const colour = mainColour(brush, ["#d9ac4a", "#e0b85c", "#caa045"]);
  const ears = range(9).map((index) => ({
    x: -42 + index * 10.5,
    y: -random.between(70, 96),
    lean: random.between(-8, 8),
  }));
  return (
    pen.line(
      ears
        .map(
          ({ x, y, lean }) =>
            `M${short(x)} 0Q${short(x)} ${short(y * 0.6)} ${short(x + lean)} ${short(y)}`,
        )
        .join(""),
      shade(colour, -0.08),
      2,
    ) +
    pen.fill(
      ears
        .map(({ x, y, lean }) =>
          range(4)
            .map(
              (index) =>
                oval(x + lean - 3 - index * 0.3, y + index * 7, 2.8, 4.4) +
                oval(x + lean + 3 - index * 0.3, y + 3 + index * 7, 2.8, 4.4),
            )
            .join(""),
        )
        .join(""),
      colour,
    )
  );
}

/** Reeds with brown heads. */
export function drawReed(brush: Brush): string {
  const { pen, random } = brush;
  const blades = range(11).map((index) => {
    const x = -40 + index * 8;
    const [tipX, tipY] = [x + random.between(-14, 14), -random.between(54, 98)];
    return `M${x - 2} 0Q${short(x)} ${short(tipY * 0.6)} ${short(tipX)} ${short(tipY)}Q${short(x + 4)} ${short(tipY * 0.5)} ${x + 2.4} 0Z`;
  });
  const heads = [-22, 2, 24].map((x, index) => `M${x} ${-70 - index * 6}V${-88 - index * 4}`);
  return (
    pen.line([-22, 2, 24].map((x) => `M${x} 0V-80`).join(""), "#8a9a5c", 1.6) +
    pen.fill(blades.join(""), mainColour(brush, ["#7f9a55", "#8fa35c"])) +
    pen.line(heads.join(""), "#6f4a30", 6)
  );
}

/** A pumpkin. */
export function drawPumpkin(brush: Brush): string {
  const { pen } = brush;
  const colour = mainColour(brush, ["#e07f2c", "#d9722a"]);
  const ribs = [
    [-34, 26],
    [34, 26],
    [-17, 30],
    [17, 30],
    [0, 24],
  ] as const;
  return (
    pen.line("M0 -78Q-2 -92 10 -98", "#5f7a42", 8) +
    ribs
      .map(([x, width], index) =>
        pen.fill(
          oval(x, -40, width, 40),
          shade(colour, index < 2 ? -0.07 : index < 4 ? -0.02 : 0.04),
        ),
      )
      .join("") +
    pen.light(oval(-20, -58, 7, 11), "#fff2d0", 0.3)
  );
}

/** A boulder with a smaller one. */
export function drawRock(brush: Brush): string {
  const { pen, random, ground } = brush;
  const colour = mainColour(brush, ["#8f8c8a", "#9a948c", "#7f868c"]);
  const top: Point[] = [
    [-62, 0],
    [-58, -46],
    [-28, -random.between(80, 98)],
    [18, -random.between(84, 100)],
    [52, -54],
    [64, 0],
  ];
  const [x3, y3] = top[3]!;
  return (
    pen.fill(smooth(top, true, 0.5), colour) +
    pen.fill(`M${short(x3)} ${short(y3)}L52 -54L64 0H8L22 -42Z`, shade(colour, -0.1), 0.9) +
    pen.fill(
      smooth(
        [
          [-50, -46],
          [-26, -84],
          [0, -84],
          [-20, -52],
        ],
        true,
        0.5,
      ),
      shade(colour, 0.07),
      0.8,
    ) +
    pen.fill(blob(random, -58, -12, 26, 16, 0.1, 8), shade(colour, -0.04)) +
    pen.fill(
      blob(random, -30, -6, 14, 7, 0.2, 7) + blob(random, 34, -4, 12, 6, 0.2, 7),
      ground.snowy ? "#f4f7fa" : shade(ground.cover[0], -0.05),
      0.9,
    )
  );
}
