import { mix, shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { blob, oval, range, short, smooth } from "../geometry.ts";
import type { Point } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

const bark = "#6f5140";

function trunk(brush: Brush, height: number, foot: number, colour: Colour = bark): string {
  const h = -height;
  const f = foot;
  return (
    brush.pen.fill(
      `M${-f} 0Q${short(-f * 0.45)} ${short(h * 0.2)} ${short(-f * 0.5)} ${h}H${short(f * 0.4)}Q${short(f * 0.42)} ${short(h * 0.2)} ${f} 0Q${short(f * 0.4)} -2 0 0.6Q${short(-f * 0.4)} -2 ${-f} 0Z`,
      colour,
    ) +
    brush.pen.fill(
      `M${short(f * 0.05)} ${h}H${short(f * 0.4)}Q${short(f * 0.42)} ${short(h * 0.2)} ${f} 0Q${short(f * 0.4)} -2 ${short(f * 0.1)} 0.4Z`,
      "#2a1f2e",
      0.2,
    )
  );
}

/** A crown of leaves: a dark mass, lighter masses towards the light, a few single leaves. */
function crown(brush: Brush, y: number, rx: number, ry: number, colour: Colour): string {
  const { pen, random, ground } = brush;
  const masses = range(5).map((index) => {
    const angle = (index / 5) * Math.PI * 2 + random.between(-0.3, 0.3);
    return blob(
      random,
      Math.cos(angle) * rx * 0.5,
      y + Math.sin(angle) * ry * 0.48,
      rx * 0.58,
      ry * 0.56,
      0.1,
      9,
    );
  });
  const lights = range(4).map((index) =>
    blob(
      random,
      -rx * 0.42 + index * rx * 0.22 + random.between(-3, 3),
      y - ry * 0.34 + random.between(-0.2, 0.3) * ry,
      rx * 0.3,
      ry * 0.26,
      0.14,
      8,
    ),
  );
  const leaves = range(14).map(() => {
    const angle = random.between(0, Math.PI * 2);
    const reach = Math.sqrt(random.next());
    return oval(
      Math.cos(angle) * rx * 0.86 * reach,
      y + Math.sin(angle) * ry * 0.86 * reach,
      1.3,
      0.9,
    );
  });
  const snow =
    ground.snowy && rx > ry
      ? pen.fill(
          blob(random, -rx * 0.1, y - ry * 0.72, rx * 0.62, ry * 0.24, 0.12, 9),
          "#f4f7fa",
          0.95,
        )
      : "";
  return (
    pen.fill(masses.join(""), shade(colour, -0.045)) +
    pen.fill(
      blob(random, rx * 0.24, y + ry * 0.38, rx * 0.7, ry * 0.5, 0.12, 9),
      shade(colour, -0.1),
      0.7,
    ) +
    pen.fill(lights.join(""), shade(colour, 0.05), 0.85) +
    pen.fill(leaves.join(""), shade(colour, 0.11), 0.9) +
    snow
  );
}

/** A broad-leaved tree. */
export function drawTree(brush: Brush): string {
  const colour = mainColour(brush, brush.ground.foliage);
  const { pen } = brush;
  const branches = pen.line(
    "M0 -34Q-6 -44 -16 -52M0 -32Q8 -42 16 -48M0 -36Q1 -48 -2 -60",
    bark,
    2.6,
  );
  return trunk(brush, 46, 5.6) + branches + crown(brush, -66, 33, 32, colour);
}

/** A conifer in four tiers. */
export function drawPine(brush: Brush): string {
  const { pen, random, ground } = brush;
  const colour = mainColour(brush, [
    ground.conifer,
    shade(ground.conifer, 0.04),
    shade(ground.conifer, -0.03),
  ]);
  const storeys = range(4).map((index) => {
    const top = -100 + index * 19;
    const foot = top + 38 - index * 1.5;
    const half = 12 + index * 6.6 + random.between(-1, 1.4);
    const tip = `M0 ${top}C${short(half * 0.2)} ${short(top + 14)} ${short(half * 0.6)} ${short(foot - 8)} ${short(half)} ${short(foot)}`;
    const fringe = `Q${short(half * 0.7)} ${short(foot - 2)} ${short(half * 0.5)} ${short(foot + 3)}Q${short(half * 0.25)} ${short(foot - 1)} 0 ${short(foot + 3.6)}Q${short(-half * 0.25)} ${short(foot - 1)} ${short(-half * 0.5)} ${short(foot + 3)}Q${short(-half * 0.7)} ${short(foot - 2)} ${short(-half)} ${short(foot)}`;
    const body = pen.fill(
      `${tip}${fringe}C${short(-half * 0.6)} ${short(foot - 8)} ${short(-half * 0.2)} ${short(top + 14)} 0 ${top}Z`,
      shade(colour, 0.03 - index * 0.018),
    );
    const dark = pen.fill(
      `${tip}Q${short(half * 0.7)} ${short(foot - 2)} ${short(half * 0.5)} ${short(foot + 3)}Q${short(half * 0.3)} ${short(foot)} ${short(half * 0.16)} ${short(foot + 2)}Q${short(half * 0.2)} ${short(top + 20)} 0 ${top}Z`,
      "#12203a",
      0.17,
    );
    const snow = ground.snowy
      ? pen.fill(
          `M0 ${top}C${short(half * 0.16)} ${short(top + 12)} ${short(half * 0.4)} ${short(foot - 14)} ${short(half * 0.62)} ${short(foot - 9)}Q${short(half * 0.1)} ${short(foot - 12)} ${short(-half * 0.2)} ${short(foot - 9)}Q${short(-half * 0.5)} ${short(foot - 13)} ${short(-half * 0.66)} ${short(foot - 8)}C${short(-half * 0.4)} ${short(foot - 16)} ${short(-half * 0.16)} ${short(top + 12)} 0 ${top}Z`,
          "#f4f7fa",
          0.95,
        )
      : "";
    return body + dark + snow;
  });
  return trunk(brush, 14, 4) + storeys.toReversed().join("");
}

/** A birch: white stem, airy leaves. */
export function drawBirch(brush: Brush): string {
  const colour = mainColour(brush, [
    brush.ground.foliage[1] ?? "#9cc566",
    brush.ground.foliage[3] ?? "#b4cf6d",
  ]);
  const marks = range(8).map(
    (index) => `M${index % 2 === 0 ? -1.8 : 0.2} ${-6 - index * 7}h${index % 3 === 0 ? 2 : 1.4}`,
  );
  return (
    trunk(brush, 76, 3.2, "#ece7dc") +
    brush.pen.line(marks.join(""), "#4a4540", 0.9) +
    brush.pen.line("M0 -52Q-6 -60 -12 -64M0 -46Q7 -56 13 -60", "#d8d2c4", 1.2) +
    crown(brush, -72, 20, 27, colour)
  );
}

/** A tree in blossom. */
export function drawBlossomTree(brush: Brush): string {
  const colour = mainColour(brush, ["#f3b4c6", "#f6c6d2", "#eda3ba"]);
  const { pen, random } = brush;
  const petals = range(12).map(() =>
    oval(random.between(-34, 34), random.between(-30, 2), 1.1, 0.8),
  );
  return (
    trunk(brush, 44, 5.4, "#5e4038") +
    pen.line("M0 -30Q-10 -44 -22 -50M0 -28Q10 -40 22 -46M0 -36V-60", "#5e4038", 2.8) +
    crown(brush, -66, 36, 29, colour) +
    pen.fill(petals.join(""), shade(colour, 0.05), 0.95)
  );
}

/** A palm with a bent stem. */
export function drawPalm(brush: Brush): string {
  const { pen, random, ground } = brush;
  const colour = mainColour(brush, ["#4f8f55", "#3f8058", "#6b9c4c"]);
  const lean = random.pick([-1, 1]) * random.between(6, 13);
  const stem = `M-3.4 0Q${short(lean * 0.1 - 2)} -40 ${short(lean - 1.6)} -76H${short(lean + 1.6)}Q${short(lean * 0.1 + 2.6)} -40 3.6 0Z`;
  const rings = range(9).map((index) => {
    const t = (index + 1) / 10;
    return `M${short(lean * t * t - 2.6)} ${short(-76 * t)}q2.6 1.6 5.2 0`;
  });
  const leaf = (angle: number, length: number): string => {
    const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length * 0.62];
    const tipY = -76 + dy + Math.abs(dx) * 0.42;
    return `M${short(lean)} -77Q${short(lean + dx * 0.5)} ${short(-82 + dy * 1.25)} ${short(lean + dx)} ${short(tipY)}Q${short(lean + dx * 0.5)} ${short(-70 + dy * 0.85)} ${short(lean)} -75Z`;
  };
  const leaves = range(9).map((index) =>
    leaf(-Math.PI * (0.02 + (index / 8) * 0.96), random.between(32, 40)),
  );
  const low = [leaf(0.35, 30), leaf(Math.PI - 0.35, 30)];
  return (
    pen.fill(stem, "#a5815a") +
    pen.line(rings.join(""), "#7d5f42", 0.8) +
    pen.fill(low.join(""), shade(colour, -0.09)) +
    leaves
      .map((path, index) => pen.fill(path, shade(colour, index % 2 === 0 ? 0.03 : -0.04)))
      .join("") +
    pen.fill(
      oval(lean - 2, -74, 2.3) + oval(lean + 2.2, -73.4, 2.3),
      mix("#7a5230", ground.earth, 0.2),
    )
  );
}

/** A weeping willow. */
export function drawWillow(brush: Brush): string {
  const { pen, random } = brush;
  const colour = mainColour(brush, ["#8fae5a", "#7fa65c", "#a3b865"]);
  const curtain = (count: number, low: number, tone: Colour): string =>
    pen.fill(
      range(count)
        .map((index) => {
          const x = -38 + (index / (count - 1)) * 76;
          const top = -92 + Math.abs(x) * 0.42;
          const foot = low + random.between(-9, 9) + Math.abs(x) * 0.1;
          return `M${short(x * 0.7 - 4)} ${short(top)}Q${short(x - 6)} ${short((top + foot) / 2)} ${short(x)} ${short(foot)}Q${short(x + 6)} ${short((top + foot) / 2)} ${short(x * 0.7 + 5)} ${short(top)}Z`;
        })
        .join(""),
      tone,
    );
  return (
    trunk(brush, 62, 6) +
    pen.fill(blob(random, 0, -78, 33, 20, 0.08), shade(colour, -0.05)) +
    curtain(12, -20, shade(colour, -0.07)) +
    curtain(9, -32, shade(colour, 0.03)) +
    pen.fill(blob(random, -8, -86, 18, 9, 0.12), shade(colour, 0.07), 0.8)
  );
}

/** A slim cypress. */
export function drawCypress(brush: Brush): string {
  const colour = mainColour(brush, ["#3f6a4c", "#4a7350", "#38614f"]);
  const half: Point[] = [
    [0, -100],
    [6, -80],
    [9.4, -52],
    [9, -24],
    [5, -7],
  ];
  const shape = smooth([
    ...half,
    ...half
      .slice(1)
      .toReversed()
      .map(([x, y]): Point => [-x, y]),
  ]);
  return (
    trunk(brush, 12, 2.8) +
    brush.pen.fill(shape, colour) +
    brush.pen.fill("M0 -100Q10 -60 6 -8Q10 -20 9.4 -50Q6 -80 0 -100Z", "#12203a", 0.2) +
    brush.pen.line("M-3 -76Q-5 -56 -4 -40M-1 -60Q-3 -40 -1 -22", shade(colour, 0.08), 1, 0.7)
  );
}

/** A round bush. */
export function drawBush(brush: Brush): string {
  const { pen, random, ground } = brush;
  const colour = mainColour(brush, ground.foliage);
  return (
    pen.fill(
      blob(random, -34, -34, 44, 36, 0.1) +
        blob(random, 34, -32, 46, 34, 0.1) +
        blob(random, 0, -54, 50, 46, 0.1),
      shade(colour, -0.04),
    ) +
    pen.fill(
      blob(random, -22, -62, 26, 20, 0.14) + blob(random, 26, -46, 20, 14, 0.14),
      shade(colour, 0.05),
      0.85,
    ) +
    pen.fill(
      range(10)
        .map(() => oval(random.between(-60, 60), random.between(-80, -14), 3, 2))
        .join(""),
      shade(colour, 0.12),
      0.8,
    ) +
    (ground.snowy ? pen.fill(blob(random, 0, -84, 38, 15, 0.1), "#f4f7fa", 0.95) : "")
  );
}
