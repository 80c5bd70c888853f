import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

function wheel(brush: Brush, x: number, radius: number, hub: Colour = "#d5d6d3"): string {
  const y = -radius;
  return (
    brush.pen.fill(oval(x, y, radius), "#2d2c32") +
    brush.pen.fill(oval(x, y, radius * 0.56), hub) +
    brush.pen.fill(oval(x, y, radius * 0.2), "#5a5a60")
  );
}

function glass(brush: Brush, path: string): string {
  return brush.lit ? brush.pen.light(path, "#ffe3a3") : brush.pen.fill(path, "#a9cbd8");
}

function headlight(brush: Brush, x: number, y: number, size: number): string {
  const beam = brush.lit
    ? brush.pen.light(
        `M${x} ${y}l90 -16v44Z`,
        brush.pen.linear(
          [
            [0, "#fff0b8", 0.6],
            [1, "#fff0b8", 0],
          ],
          0,
          0,
          1,
          0,
        ),
      )
    : "";
  return beam + brush.pen.light(oval(x, y, size, size * 1.2), "#fff3c4");
}

/** A small round car. */
export function drawCar(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#d9533f", "#3f86a8", "#e0b03f", "#5f9a74", "#e8dcc4"]);
  return (
    headlight(brush, 98, -36, 5) +
    pen.fill("M-62 -54C-56 -88 -40 -98 -4 -98C32 -98 46 -82 56 -56Z", shade(paint, 0.02)) +
    glass(brush, "M-52 -56C-48 -78 -36 -88 -10 -88V-56ZM-3 -56V-88C24 -88 36 -76 44 -56Z") +
    pen.light("M-44 -58L-30 -86H-22L-36 -58ZM10 -58L20 -82H26L18 -58Z", "#ffffff", 0.35) +
    pen.fill(
      "M-100 -20C-104 -44 -92 -54 -64 -57L58 -58C88 -54 102 -44 102 -22Q102 -16 96 -16H-94Q-100 -16 -100 -20Z",
      paint,
    ) +
    pen.fill("M-101 -30H102Q103 -16 96 -16H-94Q-100 -16 -101 -30Z", "#2a2038", 0.16) +
    pen.line("M-6 -56V-22M-2 -48H6", shade(paint, -0.12), 1.6) +
    pen.fill(box(-106, -26, 16, 6, 3) + box(92, -26, 15, 6, 3), "#d5d6d3") +
    pen.fill(oval(-99, -40, 4, 5), "#d9453d") +
    pen.fill(oval(-58, -17, 25, 24) + oval(58, -17, 25, 24), shade(paint, -0.16)) +
    wheel(brush, -58, 19) +
    wheel(brush, 58, 19) +
    pen.light("M-84 -46Q-40 -54 20 -53Q-40 -50 -82 -42Z", "#ffffff", 0.4)
  );
}

/** A lorry with a loaded bed. */
export function drawTruck(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#4f8a9a", "#c8543f", "#e0a83c"]);
  return (
    headlight(brush, 122, -38, 5) +
    pen.fill(box(-120, -96, 150, 76, 5), brush.colours[1] ?? "#efe6d3") +
    pen.line(
      range(5)
        .map((index) => `M${-96 + index * 25} -92V-24`)
        .join(""),
      "#d5c8ae",
      2,
    ) +
    pen.fill("M36 -92H78C92 -92 102 -70 108 -54C122 -52 126 -44 126 -20H36Z", paint) +
    glass(brush, "M50 -82H76C86 -82 92 -68 96 -56H50Z") +
    pen.fill(box(-124, -26, 250, 9, 3), "#4a4a52") +
    wheel(brush, -84, 20) +
    wheel(brush, -40, 20) +
    wheel(brush, 84, 20)
  );
}

/** A camper van in two colours. */
export function drawVan(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#4f9a9a", "#d9743f", "#e0b03f", "#6f94c0"]);
  return (
    pen.fill(box(-60, -108, 84, 7, 3), "#8a6a48") +
    pen.fill(box(-52, -120, 30, 13, 4), "#b5713a") +
    pen.fill(box(-16, -117, 30, 10, 3), "#5f8a74") +
    headlight(brush, 98, -40, 7) +
    pen.fill(
      "M-98 -20V-84Q-98 -102 -78 -102H56C82 -102 96 -78 100 -54V-20Q100 -14 94 -14H-92Q-98 -14 -98 -20Z",
      "#f6efdf",
    ) +
    pen.fill("M-98 -20V-54H58Q84 -54 100 -48V-20Q100 -14 94 -14H-92Q-98 -14 -98 -20Z", paint) +
    glass(
      brush,
      "M-86 -90H-52V-62H-86ZM-44 -90H-8V-62H-44ZM0 -90H34V-62H0ZM42 -90H56C72 -90 84 -76 90 -60H42Z",
    ) +
    pen.line("M-4 -58V-18M36 -58V-18", shade(paint, -0.12), 1.4) +
    pen.fill(box(-104, -24, 208, 7, 3), "#d5d6d3") +
    wheel(brush, -58, 18, "#f6efdf") +
    wheel(brush, 60, 18, "#f6efdf")
  );
}

/** A bus of two decks. */
export function drawBus(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#c8443c", "#e0a83c", "#3f86a8"]);
  return (
    headlight(brush, 80, -18, 4) +
    pen.fill(box(-84, -100, 168, 90, 8), paint) +
    glass(
      brush,
      range(6)
        .map((index) => box(-76 + index * 26, -92, 21, 20, 2))
        .join("") +
        range(5)
          .map((index) => box(-76 + index * 26, -54, 21, 20, 2))
          .join(""),
    ) +
    pen.fill(box(56, -56, 20, 44, 2), "#56707d") +
    pen.line("M66 -56V-12", paint, 1.6) +
    pen.fill(box(-84, -66, 168, 6), shade(paint, 0.18)) +
    pen.fill(box(-84, -22, 168, 12, 4), "#2a2038", 0.2) +
    wheel(brush, -50, 13) +
    wheel(brush, 38, 13)
  );
}

/** A tram with its pantograph. */
export function drawTram(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#e0b03f", "#c8443c", "#4f8a6a"]);
  return (
    pen.line("M-1600 -112H1600", "#4a4a52", 1.2, 0.8) +
    pen.line("M-10 -92L12 -102L-6 -112", "#4a4a52", 2) +
    pen.line("M-1600 0H1600", "#6b6a70", 3) +
    headlight(brush, 88, -26, 4) +
    pen.fill(box(-90, -92, 180, 84, 12), paint) +
    pen.fill("M-90 -48H90V-20Q90 -8 78 -8H-78Q-90 -8 -90 -20Z", "#f6efdf") +
    glass(
      brush,
      range(5)
        .map((index) => box(-78 + index * 33, -82, 25, 28, 3))
        .join(""),
    ) +
    pen.fill(box(-90, -50, 180, 4), shade(paint, -0.14)) +
    pen.line("M-40 -46V-10M-14 -46V-10M34 -46V-10M60 -46V-10", shade(paint, -0.1), 1.4) +
    wheel(brush, -52, 8) +
    wheel(brush, 52, 8)
  );
}

/** A steam train with two carriages. */
export function drawTrain(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#3f6f5a", "#b5433a", "#2f4a7a"]);
  const coach = brush.colours[1] ?? "#b5643f";
  const carriage = (x: number): string =>
    pen.fill(box(x, -72, 92, 58, 4), coach) +
    pen.fill(box(x - 3, -78, 98, 8, 4), shade(coach, -0.14)) +
    glass(
      brush,
      range(4)
        .map((index) => box(x + 8 + index * 20, -62, 15, 20, 2))
        .join(""),
    ) +
    pen.fill(box(x, -34, 92, 4), "#f0d9a3") +
    wheel(brush, x + 20, 10) +
    wheel(brush, x + 72, 10);
  return (
    pen.line("M-300 0H190", "#5b5550", 4) +
    pen.line(
      range(24)
        .map((index) => `M${-292 + index * 20} 3V6`)
        .join(""),
      "#7a5636",
      5,
    ) +
    pen.fill(
      oval(92, -122, 13, 10) +
        oval(70, -136, 18, 13) +
        oval(38, -148, 22, 15) +
        oval(0, -156, 24, 14),
      "#f3f1ec",
      0.75,
    ) +
    pen.line("M-104 -18H-92M-8 -18H4", "#3a3a40", 5) +
    carriage(-196) +
    carriage(-98) +
    headlight(brush, 150, -58, 6) +
    pen.fill(box(4, -92, 46, 78, 3), paint) +
    pen.fill(box(-2, -98, 58, 9, 3), shade(paint, -0.16)) +
    glass(brush, box(13, -82, 26, 26, 2)) +
    pen.fill("M50 -68H138Q150 -68 150 -56V-26H50Z", paint) +
    pen.fill(box(50, -32, 100, 8), shade(paint, -0.14)) +
    pen.fill("M106 -66V-94H102L98 -106H130L126 -94H122V-66Z", "#34343a") +
    pen.fill("M72 -66V-74Q80 -84 88 -74V-66Z", "#d9a94a") +
    pen.line("M66 -68V-32M94 -68V-32M130 -68V-32", "#d9a94a", 2.4) +
    pen.fill("M146 -26L172 -4H136V-26Z", "#8f3a34") +
    wheel(brush, 30, 17, "#c8443c") +
    wheel(brush, 74, 13, "#c8443c") +
    wheel(brush, 108, 13, "#c8443c") +
    wheel(brush, 136, 10, "#c8443c") +
    pen.line("M30 -17L74 -13L108 -13", "#d5d6d3", 3.4)
  );
}

const bicycleSpokes = (x: number): string =>
  range(6)
    .map(
      (index) =>
        `M${x} -36L${short(x + Math.cos((index / 6) * Math.PI * 2) * 33)} ${short(-36 + Math.sin((index / 6) * Math.PI * 2) * 33)}`,
    )
    .join("");

/** A bicycle. */
export function drawBicycle(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#3f8a9a", "#c8443c", "#e0a83c"]);
  return (
    pen.line(bicycleSpokes(-62) + bicycleSpokes(62), "#9aa0a5", 1) +
    pen.line(oval(-62, -36, 34) + oval(62, -36, 34), "#34343a", 5) +
    pen.line("M-62 -36L-28 -78L40 -80L2 -34ZM-34 -86L2 -34M62 -36L36 -92", paint, 5.4) +
    pen.line("M36 -92L28 -100M36 -92L52 -98M-62 -36H2", "#4a4a52", 3.4) +
    pen.fill("M-50 -90H-20Q-22 -84 -34 -84Z", "#5b3d2b") +
    pen.fill(oval(2, -34, 8), "#4a4a52") +
    pen.line("M2 -34L12 -22M6 -22H18", "#4a4a52", 3) +
    pen.fill(box(48, -92, 30, 20, 3), "#b98a4e") +
    pen.fill(oval(56, -94, 6) + oval(66, -96, 7) + oval(73, -93, 5), "#e0687a")
  );
}

/** A tractor. */
export function drawTractor(brush: Brush): string {
  const { pen } = brush;
  const paint = mainColour(brush, ["#c8443c", "#4f8a4a", "#e0a83c"]);
  return (
    pen.line("M44 -62V-98", "#3a3a40", 5) +
    pen.fill("M-52 -54H-40V-98H8V-58H66Q76 -58 76 -46V-22H-52Z", paint) +
    glass(brush, "M-32 -90H0V-60H-32Z") +
    pen.fill(box(-46, -103, 60, 8, 3), shade(paint, -0.12)) +
    pen.line("M30 -50H66M30 -42H66M30 -34H66", shade(paint, -0.14), 2.4) +
    wheel(brush, -34, 33, "#e8c24f") +
    wheel(brush, 56, 20, "#e8c24f")
  );
}

/** A wooden cart with hay. */
export function drawCart(brush: Brush): string {
  const { pen } = brush;
  const wood = mainColour(brush, ["#a3703f", "#8f6240"]);
  const spokes = range(8)
    .map(
      (index) =>
        `M-18 -32L${short(-18 + Math.cos((index / 8) * Math.PI * 2) * 29)} ${short(-32 + Math.sin((index / 8) * Math.PI * 2) * 29)}`,
    )
    .join("");
  return (
    pen.fill("M-74 -62Q-66 -98 -20 -100Q40 -102 58 -62Z", "#e0b85c") +
    pen.line("M-50 -70L-40 -92M-20 -68L-18 -96M10 -70L6 -94M34 -68L30 -88", "#c99a40", 2.4) +
    pen.line("M58 -44L120 -30", wood, 6) +
    pen.fill("M-84 -66H70L60 -34H-74Z", wood) +
    pen.line("M-80 -56H66M-77 -45H63", shade(wood, -0.12), 2.4) +
    pen.line(spokes, "#6b4a30", 4) +
    pen.line(oval(-18, -32, 30), "#6b4a30", 7)
  );
}
