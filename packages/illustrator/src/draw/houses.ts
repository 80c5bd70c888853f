import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

const glassDay = "#5f7f92";
const glassLit = "#ffd98a";

/** Windows, lit or not, with frames and crossbars; spots are their upper left corners. */
export function windows(
  brush: Brush,
  spots: readonly (readonly [x: number, y: number])[],
  width: number,
  height: number,
  frame: Colour = "#f4efe4",
): string {
  const { pen, lit } = brush;
  const frames = spots
    .map(([x, y]) => box(x - 1.2, y - 1.2, width + 2.4, height + 2.4, 0.8))
    .join("");
  const panes = spots.map(([x, y]) => box(x, y, width, height)).join("");
  const bars = spots
    .map(
      ([x, y]) =>
        `M${short(x + width / 2)} ${short(y)}v${short(height)}M${short(x)} ${short(y + height / 2)}h${short(width)}`,
    )
    .join("");
  const glow = lit
    ? spots
        .map(([x, y]) =>
          pen.light(oval(x + width / 2, y + height / 2, width * 1.9), pen.glow("#ffcf70", 0.4)),
        )
        .join("")
    : "";
  const shine = lit
    ? ""
    : pen.light(
        spots
          .map(
            ([x, y]) =>
              `M${short(x)} ${short(y + height * 0.7)}L${short(x + width * 0.7)} ${short(y)}H${short(x + width)}L${short(x)} ${short(y + height)}Z`,
          )
          .join(""),
        "#ffffff",
        0.22,
      );
  return (
    glow +
    pen.fill(frames, frame) +
    (lit ? pen.light(panes, glassLit) : pen.fill(panes, glassDay)) +
    shine +
    pen.line(bars, frame, 0.9)
  );
}

function door(brush: Brush, x: number, width: number, height: number, colour: Colour): string {
  const { pen } = brush;
  const arch = `M${short(x - width / 2)} 0V${short(-height + width / 2)}A${short(width / 2)} ${short(width / 2)} 0 0 1 ${short(x + width / 2)} ${short(-height + width / 2)}V0Z`;
  return (
    pen.fill(box(x - width / 2 - 2, -1.4, width + 4, 2.4), "#b9ad9c") +
    pen.fill(arch, colour) +
    pen.line(`M${short(x)} ${short(-height + 2)}V-1`, shade(colour, -0.1), 0.7) +
    pen.fill(oval(x + width * 0.28, -height * 0.45, 0.9), "#e3c77a")
  );
}

function planks(x: number, y: number, width: number, height: number, count: number): string {
  return range(count)
    .map(
      (index) => `M${short(x)} ${short(y + ((index + 1) / (count + 1)) * height)}h${short(width)}`,
    )
    .join("");
}

function snowOn(brush: Brush, path: string): string {
  return brush.ground.snowy ? brush.pen.fill(path, "#f4f7fa", 0.97) : "";
}

/** A house of two storeys with a gable, a chimney and a side wing. */
export function drawHouse(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, [
    "#f1e3c8",
    "#e8cfae",
    "#d9e0dc",
    "#e6b9a0",
    "#f3ead8",
    "#c9d6c4",
  ]);
  const roof =
    brush.parts.get("roof") ??
    brush.colours[1] ??
    random.pick(["#b5523c", "#8f4a3f", "#5b6578", "#a3653f"]);
  const doorColour =
    brush.parts.get("door") ?? random.pick(["#3f6f73", "#7a3f36", "#4a5a8a", "#5f7f4a"]);
  const chimney =
    pen.fill(box(22, -97, 9, 26), shade(roof, -0.06)) +
    pen.fill(box(20.6, -99, 11.8, 4), shade(roof, -0.12));
  const smoke = pen.fill(
    oval(28, -106, 4) + oval(32, -113, 5) + oval(30, -121, 6),
    "#ffffff",
    0.32,
  );
  const wing =
    pen.fill(box(30, -36, 30, 36), shade(wall, -0.05)) +
    pen.fill("M27 -35L34 -56H58L64 -35Z", shade(roof, -0.03));
  const body =
    pen.fill("M-34 0V-56L0 -90L34 -56V0Z", wall) + pen.fill("M12 0V-78L34 -56V0Z", "#2a2038", 0.09);
  const boards = pen.line(planks(-33, -56, 66, 56, 8), shade(wall, -0.07), 0.5, 0.6);
  const top =
    pen.fill("M0 -100L-42 -56L-37 -50L0 -88L37 -50L42 -56Z", roof) +
    pen.fill("M0 -100L42 -56L37 -50L0 -88Z", "#2a2038", 0.14);
  const tiles = pen.line(
    "M-34 -57.4L-36 -54.6M-26 -66L-28 -63M-18 -74L-20 -71M-10 -82.6L-12 -79.6M10 -89L12 -86M20 -79L22 -76M30 -69L32 -66",
    shade(roof, -0.12),
    0.7,
  );
  return (
    chimney +
    smoke +
    wing +
    body +
    boards +
    windows(
      brush,
      [
        [-25, -48],
        [-5, -48],
        [14, -48],
        [-25, -24],
        [14, -24],
      ],
      10,
      13,
    ) +
    windows(brush, [[39, -26]], 12, 12) +
    windows(brush, [[-4, -74]], 8, 9) +
    pen.fill(box(-27, -9.6, 14, 2.6, 1), shade(doorColour, -0.04)) +
    pen.fill(
      range(5)
        .map((index) => oval(-25.6 + index * 2.8, -10.4, 1.5))
        .join(""),
      "#e0687a",
    ) +
    door(brush, 0, 12, 26, doorColour) +
    top +
    tiles +
    snowOn(
      brush,
      "M0 -101L-43 -56.6L-39 -53Q-20 -76 0 -92Q20 -76 39 -53L43 -56.6ZM27 -35L34 -57H58L64 -35Q44 -46 27 -35Z",
    )
  );
}

/** A low cottage under a thick thatched roof. */
export function drawCottage(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#f3ead6", "#e9d3b0", "#b98a5f", "#dfe0d2"]);
  const roof =
    brush.parts.get("roof") ??
    brush.colours[1] ??
    random.pick(["#a3804f", "#8a6a45", "#7d5a44", "#6d7a5a"]);
  const timber = shade(wall, -0.28);
  return (
    pen.fill(box(30, -98, 12, 34), "#9a8a7d") +
    pen.fill(box(28, -100, 16, 5), "#7d6f66") +
    pen.fill(oval(37, -108, 4.4) + oval(42, -116, 6) + oval(39, -126, 7), "#ffffff", 0.32) +
    pen.fill(box(-56, -48, 112, 48), wall) +
    pen.fill(box(16, -48, 40, 48), "#2a2038", 0.07) +
    pen.line("M-55 -1V-46M-28 -1V-46M28 -1V-46M55 -1V-46M-55 -22H-29M29 -22H55", timber, 2.6) +
    windows(
      brush,
      [
        [-49, -40],
        [36, -40],
      ],
      14,
      14,
    ) +
    windows(brush, [[-22, -40]], 9, 13) +
    door(
      brush,
      8,
      16,
      34,
      brush.parts.get("door") ?? random.pick(["#5f7f4a", "#7a4a36", "#3f6f83"]),
    ) +
    pen.fill(
      "M-68 -42C-60 -60 -46 -88 -36 -92H36C46 -88 60 -60 68 -42Q60 -38 54 -43Q40 -38 28 -43Q14 -38 0 -43Q-14 -38 -28 -43Q-42 -38 -54 -43Q-62 -38 -68 -42Z",
      roof,
    ) +
    pen.fill(
      "M20 -92H36C46 -88 60 -60 68 -42Q60 -38 54 -43Q40 -38 28 -43C36 -60 34 -80 20 -92Z",
      "#2a2038",
      0.12,
    ) +
    pen.line(
      "M-44 -78L-54 -52M-28 -86L-34 -54M-10 -88L-12 -54M10 -88L12 -54M28 -86L34 -54M44 -78L54 -52",
      shade(roof, -0.1),
      1.1,
      0.7,
    ) +
    pen.line("M-36 -91H36", shade(roof, 0.08), 3.4) +
    snowOn(
      brush,
      "M-68 -43C-60 -62 -46 -92 -36 -95H36C46 -92 60 -62 68 -43Q50 -66 34 -74Q10 -64 -12 -76Q-40 -70 -68 -43Z",
    ) +
    pen.fill(
      range(6)
        .map((index) => oval(-52 + index * 7, -4, 5))
        .join("") +
        oval(44, -4, 7) +
        oval(52, -3, 5),
      shade(brush.ground.foliage[0] ?? "#5f9a5c", -0.05),
    )
  );
}

/** A barn with a big door and a hayloft. */
export function drawBarn(brush: Brush): string {
  const { pen } = brush;
  const wall = mainColour(brush, ["#b04238", "#a83f36", "#9c5a3f"]);
  const roof = brush.parts.get("roof") ?? brush.colours[1] ?? "#5d5a60";
  const trim = "#f3ead8";
  return (
    pen.fill("M-48 0V-52L-34 -78L0 -94L34 -78L48 -52V0Z", wall) +
    pen.line(
      range(11)
        .map((index) => `M${-42 + index * 8.4} 0V${-60 - (5 - Math.abs(index - 5)) * 5}`)
        .join(""),
      shade(wall, -0.08),
      0.8,
    ) +
    pen.fill("M0 -100L-39 -81L-56 -49L-50 -47L-34 -76L0 -92L34 -76L50 -47L56 -49L39 -81Z", roof) +
    pen.fill(box(-20, -40, 40, 40), shade(wall, -0.09)) +
    pen.line("M-20 0V-40H20V0M0 0V-40M-20 0L0 -40M20 0L0 -40M-20 -40L0 0M20 -40L0 0", trim, 2.2) +
    (brush.lit
      ? pen.light(box(-9, -68, 18, 16), "#ffd98a")
      : pen.fill(box(-9, -68, 18, 16), "#4a2f2c")) +
    pen.line("M-9 -68H9V-52H-9ZM0 -68V-52", trim, 2) +
    snowOn(brush, "M0 -101L-39 -83L-57 -49L-48 -58L-34 -80L0 -95L34 -80L48 -58L57 -49L39 -83Z")
  );
}

/** A shop with an awning and a show window. */
export function drawShop(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#e6cfb0", "#c9d8d3", "#e3b8a6", "#d5cfe0", "#4f7f83"]);
  const awning = brush.colours[1] ?? random.pick(["#c8443c", "#3f7f8a", "#e0a03c", "#5f8f5a"]);
  const stripes = range(8).map(
    (index) =>
      `M${-40 + index * 10} -40H${-30 + index * 10}L${short(-30 + index * 10 + (index - 3) * 1.2)} -28Q${short(-35 + index * 10 + (index - 3.5) * 1.2)} -24 ${short(-40 + index * 10 + (index - 4) * 1.2)} -28Z`,
  );
  return (
    pen.fill(box(-40, -94, 80, 94), wall) +
    pen.fill(box(14, -94, 26, 94), "#2a2038", 0.07) +
    pen.fill(box(-44, -99, 88, 8, 1.5), shade(wall, -0.16)) +
    windows(
      brush,
      [
        [-30, -82],
        [-6, -82],
        [18, -82],
      ],
      13,
      20,
    ) +
    pen.fill(box(-36, -54, 72, 12, 2), shade(awning, -0.18)) +
    pen.fill(
      range(6)
        .map((index) => oval(-24 + index * 9.6, -48, 2))
        .join(""),
      "#f6e6bd",
      0.98,
    ) +
    (brush.lit
      ? pen.light(box(-34, -32, 42, 26), "#ffdf9a")
      : pen.fill(box(-34, -32, 42, 26), "#6f9099")) +
    pen.line("M-34 -32H8V-6H-34ZM-13 -32V-6", "#f4efe4", 1.8) +
    pen.fill(
      range(5)
        .map((index) => oval(-29 + index * 8, -9.6, 3.2))
        .join(""),
      random.pick(["#d98a4a", "#e0687a", "#8fb86a"]),
      0.98,
    ) +
    door(brush, 23, 17, 32, shade(awning, -0.12)) +
    pen.fill(stripes.filter((_, index) => index % 2 === 0).join(""), awning) +
    pen.fill(stripes.filter((_, index) => index % 2 === 1).join(""), "#f7f1e4") +
    snowOn(brush, box(-45, -103, 90, 6, 3))
  );
}

/** A tall house of many storeys. */
export function drawSkyscraper(brush: Brush): string {
  const { pen, random } = brush;
  const wall = mainColour(brush, ["#7f93a8", "#a3a9b5", "#b59a86", "#6f8a94"]);
  const panes = range(36).map(
    (index) => [-14.5 + (index % 4) * 7.6, -88 + Math.floor(index / 4) * 9.4] as const,
  );
  const shown = (part: boolean): string =>
    panes
      .filter(() => random.chance(0.6) === part)
      .map(([x, y]) => box(x, y, 5, 6))
      .join("");
  return (
    pen.line("M0 -92V-106", "#5d6670", 1.2) +
    pen.fill("M-8 -90V-97H8V-90Z", shade(wall, -0.06)) +
    pen.fill(box(-18, -92, 36, 92, 1), wall) +
    pen.fill(box(8, -92, 10, 92), "#2a2038", 0.13) +
    pen.fill(shown(true), shade(wall, -0.2), 0.98) +
    (brush.lit ? pen.light(shown(true), "#ffdf96", 0.95) : pen.fill(shown(true), "#cfe3ea", 0.9)) +
    pen.fill(box(-5, -9, 10, 9), "#3f4650")
  );
}
