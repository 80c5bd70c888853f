import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { windows } from "./houses.ts";

function slits(
  brush: Brush,
  spots: readonly (readonly [number, number])[],
  width: number,
  height: number,
): string {
  const paths = spots
    .map(
      ([x, y]) =>
        `M${short(x - width / 2)} ${y}V${short(y - height)}A${short(width / 2)} ${short(width / 2)} 0 0 1 ${short(x + width / 2)} ${short(y - height)}V${y}Z`,
    )
    .join("");
  return brush.lit ? brush.pen.light(paths, "#ffd98a") : brush.pen.fill(paths, "#46505f", 0.98);
}

function stones(
  brush: Brush,
  x: number,
  y: number,
  width: number,
  height: number,
  count: number,
  colour: Colour,
): string {
  const { random } = brush;
  const marks = range(count).map(
    () =>
      `M${short(x + random.between(0, width - 5))} ${short(y + random.between(2, height - 2))}h${short(random.between(2.5, 5))}`,
  );
  return brush.pen.line(marks.join(""), shade(colour, -0.09), 0.8, 0.8);
}

function battlement(x: number, y: number, width: number, teeth: number): string {
  const step = width / (teeth * 2 - 1);
  const tops = range(teeth).map((index) => box(x + index * step * 2, y - step, step, step + 0.4));
  return tops.join("");
}

const at = (y: number): number => 9 + (y + 76) * 0.085;

/** A lighthouse with bands, gallery and lamp; at night a beam. */
export function drawLighthouse(brush: Brush): string {
  const { pen, lit } = brush;
  const body =
    brush.colours.length === 1 && brush.colours[0] !== "#f5f2ea"
      ? "#f6f1e6"
      : (brush.colours[1] ?? "#f6f1e6");
  const band =
    brush.colours.find((colour) => colour !== "#f5f2ea") ??
    (brush.colours[0] === undefined
      ? brush.random.pick(["#c8443c", "#c8443c", "#34557f"])
      : "#f5f2ea");
  const ring = (from: number, to: number): string =>
    `M${short(-at(from))} ${from}L${short(-at(to))} ${to}H${short(at(to))}L${short(at(from))} ${from}Z`;
  const beams = lit
    ? pen.light(
        "M0 -86L-250 -128V-52Z",
        pen.linear(
          [
            [0, "#fff3c0", 0],
            [1, "#fff3c0", 0.62],
          ],
          0,
          0,
          1,
          0,
        ),
      ) +
      pen.light(
        "M0 -86L250 -104V-62Z",
        pen.linear(
          [
            [0, "#fff3c0", 0.5],
            [1, "#fff3c0", 0],
          ],
          0,
          0,
          1,
          0,
        ),
      ) +
      pen.light(oval(0, -86, 26), pen.glow("#fff0b8", 0.9))
    : "";
  return (
    pen.fill(box(14, -17, 32, 17), "#f0e7d6") +
    pen.fill("M11 -16L20 -28H40L49 -16Z", brush.parts.get("roof") ?? "#a8503f") +
    windows(
      brush,
      [
        [22, -12],
        [34, -12],
      ],
      6,
      7,
    ) +
    beams +
    pen.fill(ring(-76, 0), body) +
    pen.fill(ring(-64, -50) + ring(-37, -23), band) +
    pen.fill(ring(-10, 0), shade(body, -0.12)) +
    pen.fill(`M3 -76H${short(at(-76))}L${short(at(0))} 0H5Z`, "#2a2038", 0.14) +
    slits(
      brush,
      [
        [-1, -54],
        [0.6, -28],
      ],
      3.4,
      5,
    ) +
    pen.fill("M-4.4 0V-9A4.4 4.4 0 0 1 4.4 -9V0Z", "#5b3d33") +
    pen.fill(box(-13, -78.6, 26, 3.4, 1), "#46484f") +
    pen.line("M-12 -84V-78M-6 -84V-78M0 -84V-78M6 -84V-78M12 -84V-78M-12 -84H12", "#46484f", 0.9) +
    (lit
      ? pen.light(box(-6.4, -92, 12.8, 13.6), "#fff0b8")
      : pen.fill(box(-6.4, -92, 12.8, 13.6), "#bfdbe0")) +
    pen.line("M-6.4 -92V-78M-2.2 -92V-78M2.2 -92V-78M6.4 -92V-78", "#46484f", 1) +
    pen.fill("M-9 -91.4Q-6 -99 0 -99.6Q6 -99 9 -91.4Z", band === "#f5f2ea" ? "#c8443c" : band) +
    pen.line("M0 -99V-104", "#46484f", 1.1)
  );
}

/** A castle with four towers and a gate. */
export function drawCastle(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#cdc4b8", "#c5bcc4", "#d8c9b0", "#b9bfc9"]);
  const roof =
    brush.parts.get("roof") ??
    brush.colours[1] ??
    random.pick(["#4f6a9c", "#a84f42", "#5f5488", "#3f7a7a"]);
  const flag = random.pick(["#d9453d", "#e8b23c", "#3f74b5"]);
  const tower = (x: number, width: number, height: number, depth: number): string => {
    const tone = shade(wall, depth);
    const h = -height;
    const w = width / 2;
    return (
      pen.fill(box(x - w, h, width, height), tone) +
      pen.fill(box(x + w * 0.25, h, w * 0.75, height), "#2a2038", 0.1) +
      pen.fill(box(x - w - 1.6, h - 3, width + 3.2, 6), shade(tone, 0.04)) +
      pen.fill(
        `M${short(x)} ${short(h - width * 1.5)}L${short(x + w + 3)} ${short(h - 2.4)}Q${short(x)} ${short(h)} ${short(x - w - 3)} ${short(h - 2.4)}Z`,
        roof,
      ) +
      pen.fill(
        `M${short(x)} ${short(h - width * 1.5)}L${short(x + w + 3)} ${short(h - 2.4)}Q${short(x + w * 0.6)} ${short(h - 1.4)} ${short(x + w * 0.3)} ${short(h - 1.2)}Z`,
        "#2a2038",
        0.16,
      ) +
      slits(
        brush,
        [
          [x - w * 0.2, h + height * 0.24],
          [x - w * 0.2, h + height * 0.55],
        ],
        width * 0.2,
        width * 0.26,
      ) +
      stones(brush, x - w, h, width, height, 7, tone) +
      pen.line(`M${short(x)} ${short(h - width * 1.5)}v-7`, "#5b4a3a", 0.8) +
      pen.fill(`M${short(x)} ${short(h - width * 1.5 - 7)}l8 2.4l-8 2.6Z`, flag)
    );
  };
  return (
    tower(-2, 19, 68, -0.05) +
    tower(-34, 14, 54, -0.03) +
    tower(30, 14, 58, -0.03) +
    pen.fill(box(-50, -36, 100, 36) + battlement(-50, -36, 100, 10), wall) +
    pen.fill(box(16, -36, 34, 36), "#2a2038", 0.06) +
    stones(brush, -48, -34, 96, 32, 26, wall) +
    tower(-52, 17, 48, 0.01) +
    tower(52, 17, 46, -0.01) +
    pen.fill(box(-14, -43, 28, 43) + battlement(-14, -43, 28, 4), shade(wall, 0.03)) +
    pen.fill("M-9 0V-19A9 9 0 0 1 9 -19V0Z", "#4a3428") +
    pen.line("M-4.5 0V-26M0 0V-28M4.5 0V-26M-9 -8H9M-9 -16H9", "#2f2018", 0.9) +
    slits(brush, [[0, -32]], 4, 3)
  );
}

/** A round stone tower with a pointed roof. */
export function drawTower(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#c9bfae", "#b9b2b0", "#d6c3a3"]);
  const roof =
    brush.parts.get("roof") ?? brush.colours[1] ?? random.pick(["#a84f42", "#4f6a8c", "#6b5a83"]);
  return (
    pen.fill("M-15 0L-12 -62H12L15 0Z", wall) +
    pen.fill("M3 0V-62H12L15 0Z", "#2a2038", 0.12) +
    stones(brush, -12, -60, 24, 58, 18, wall) +
    pen.fill("M-12 -58L-17 -66V-72H17V-66L12 -58Z", shade(wall, 0.04)) +
    pen.fill("M-20 -71Q-8 -84 0 -102Q8 -84 20 -71Q0 -67 -20 -71Z", roof) +
    pen.fill("M0 -102Q8 -84 20 -71Q12 -69.4 4 -69Z", "#2a2038", 0.15) +
    slits(
      brush,
      [
        [-1, -44],
        [1, -26],
      ],
      4.6,
      6,
    ) +
    slits(
      brush,
      [
        [-8, -65],
        [0, -65],
        [8, -65],
      ],
      3.6,
      2.4,
    ) +
    pen.fill("M-5.6 0V-10A5.6 5.6 0 0 1 5.6 -10V0Z", "#5b3d2b")
  );
}

/** A church with a steeple. */
export function drawChurch(brush: Brush): string {
  const { pen } = brush;
  const wall = mainColour(brush, ["#f2ebdd", "#e6dcc8", "#d9d4cb"]);
  const roof =
    brush.parts.get("roof") ??
    brush.colours[1] ??
    brush.random.pick(["#6a5f66", "#a5573f", "#4f6a6f"]);
  const tall = "M-3.6 0V-9A3.6 3.6 0 0 1 3.6 -9V0Z";
  const glass = [-2, 14, 30]
    .map((x) =>
      pen.place(brush.lit ? pen.light(tall, "#ffd98a") : pen.fill(tall, "#5f86a0"), x, -12),
    )
    .join("");
  return (
    pen.fill(box(-10, -34, 54, 34), wall) +
    pen.fill("M-12 -33L-4 -54H40L48 -33Z", roof) +
    glass +
    pen.fill(box(-34, -60, 26, 60), shade(wall, 0.02)) +
    pen.fill(box(-16, -60, 8, 60), "#2a2038", 0.1) +
    pen.fill("M-21 -94L-37 -58H-5Z", shade(roof, -0.02)) +
    pen.fill("M-21 -94L-5 -58H-14Z", "#2a2038", 0.15) +
    pen.line("M-21 -94V-106M-25 -101H-17", "#c9a24b", 1.5) +
    pen.fill(oval(-21, -50, 5), "#f8f4e8") +
    pen.line("M-21 -50V-53.4M-21 -50H-18.6", "#3d3a3a", 0.8) +
    slits(brush, [[-21, -30]], 6, 6) +
    pen.fill("M-26 0V-13A5 5 0 0 1 -16 -13V0Z", "#6b4630") +
    (brush.ground.snowy
      ? pen.fill("M-12 -34L-4 -56H40L48 -34Q20 -46 -12 -34Z", "#f4f7fa", 0.96)
      : "")
  );
}

/** A windmill with four sails. */
export function drawWindmill(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#f0e6d2", "#c98f62", "#d9cbb5", "#a8553f"]);
  const cap =
    brush.parts.get("roof") ?? brush.colours[1] ?? random.pick(["#7a4a3a", "#5d6570", "#8f4a3f"]);
  const turn = random.between(12, 40);
  const vane =
    pen.line("M0 0V-46", "#5b4636", 1.8) +
    pen.fill("M1.4 -8H11V-45H1.4Z", brush.parts.get("sail") ?? "#f6efdf", 0.97) +
    pen.line("M1.4 -15H11M1.4 -22H11M1.4 -29H11M1.4 -36H11M6.2 -8V-45", "#8a7460", 0.7);
  const sails = range(4)
    .map((index) => pen.place(vane, 0, -66, 1, 1, turn + index * 90))
    .join("");
  return (
    pen.fill("M-21 0L-13 -64H13L21 0Z", wall) +
    pen.fill("M4 0V-64H13L21 0Z", "#2a2038", 0.11) +
    pen.fill("M-15 -62Q-14 -80 0 -82Q14 -80 15 -62Q0 -58 -15 -62Z", cap) +
    pen.fill(box(-22, -27, 44, 2.6, 1), shade(wall, -0.2)) +
    windows(brush, [[-4, -50]], 8, 9) +
    windows(brush, [[9, -20]], 6, 8) +
    pen.fill("M-7 0V-14A5 5 0 0 1 3 -14V0Z", "#6b4630") +
    sails +
    pen.fill(oval(0, -66, 3), "#4a3a30")
  );
}

/** A temple of three roofs. */
export function drawTemple(brush: Brush): string {
  const { pen } = brush;
  const wall = mainColour(brush, ["#b8453a", "#b04a3a", "#c9a06a"]);
  const roof =
    brush.parts.get("roof") ??
    brush.colours[1] ??
    brush.random.pick(["#3f5a5f", "#4a4a5f", "#5f6f4f"]);
  const storey = (y: number, half: number, height: number): string =>
    pen.fill(box(-half, y - height, half * 2, height), wall) +
    pen.fill(box(half * 0.3, y - height, half * 0.7, height), "#2a2038", 0.12) +
    windows(
      brush,
      [
        [-half * 0.62, y - height * 0.72],
        [half * 0.62 - 5, y - height * 0.72],
      ],
      5,
      height * 0.42,
      "#e8cf9a",
    ) +
    pen.fill(
      `M${short(-half - 15)} ${short(y - height - 1)}Q${short(-half - 4)} ${short(y - height - 3)} ${short(-half * 0.6)} ${short(y - height - 13)}H${short(half * 0.6)}Q${short(half + 4)} ${short(y - height - 3)} ${short(half + 15)} ${short(y - height - 1)}Q${short(half + 8)} ${short(y - height + 4)} ${short(half)} ${short(y - height + 3)}H${short(-half)}Q${short(-half - 8)} ${short(y - height + 4)} ${short(-half - 15)} ${short(y - height - 1)}Z`,
      roof,
    );
  return (
    pen.fill(box(-38, -5, 76, 5), "#b9b0a4") +
    storey(-5, 27, 19) +
    pen.fill("M-6 -5V-20H6V-5Z", "#3f2a26") +
    storey(-37, 20, 15) +
    storey(-65, 13, 12) +
    pen.line("M0 -89V-100", "#d9b45a", 2) +
    pen.fill(oval(0, -95, 2.4), "#d9b45a")
  );
}

/** Pyramids, a great one and a small one. */
export function drawPyramid(brush: Brush): string {
  const { pen } = brush;
  const stone = mainColour(brush, ["#d9b377", "#cfa66c"]);
  const courses = range(8).map((index) => {
    const y = -(index + 1) * 11;
    return `M${short(-86 * (1 + y / 100) + 4)} ${y}H${short(14 * (1 + y / 100))}`;
  });
  return (
    pen.fill("M50 0L92 -52L136 0Z", shade(stone, -0.03)) +
    pen.fill("M92 -52L136 0H104Z", shade(stone, -0.14)) +
    pen.fill("M-86 0L0 -100L86 0Z", stone) +
    pen.fill("M0 -100L86 0H14Z", shade(stone, -0.13)) +
    pen.line(courses.join(""), shade(stone, -0.07), 0.9, 0.8)
  );
}
