import { shade } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";

function wake(brush: Brush, half: number): string {
  return brush.pen.light(
    `M${-half} 2q${short(half * 0.25)} -5 ${short(half * 0.5)} 0t${short(half * 0.5)} 0t${short(half * 0.5)} 0t${short(half * 0.5)} 0l${short(half * 0.12)} 4q${short(-half * 0.6)} 6 ${short(-half * 1.1)} 2t${short(-half * 1.1)} -2Z`,
    "#f3fafb",
    0.6,
  );
}

function portholes(brush: Brush, xs: readonly number[], y: number, radius: number): string {
  const holes = xs.map((x) => oval(x, y, radius)).join("");
  return (
    brush.pen.fill(xs.map((x) => oval(x, y, radius + 1)).join(""), "#f3ede0") +
    (brush.lit ? brush.pen.light(holes, "#ffdc8a") : brush.pen.fill(holes, "#3f5868"))
  );
}

/** A boat under two sails. */
export function drawSailboat(brush: Brush): string {
  const { pen, random } = brush;
  const hull = mainColour(brush, ["#b5483a", "#34608a", "#8a5a3c", "#f1ead8", "#3f7a74"]);
  const sail =
    brush.parts.get("sail") ??
    brush.colours[1] ??
    random.pick(["#fbf6ea", "#fbf6ea", "#f3d9a3", "#f0c7b0"]);
  return (
    pen.line("M2 -14V-104", "#6b4a33", 2.4) +
    pen.fill("M5 -100C20 -76 34 -48 40 -24H5Z", sail) +
    pen.fill("M5 -60C14 -62 24 -58 27 -54L40 -24H5Z", "#2a2038", 0.07) +
    pen.fill("M-1 -94C-18 -72 -30 -48 -36 -24Q-18 -28 -1 -24Z", shade(sail, -0.05)) +
    pen.line("M6 -80H15M6 -62H24M6 -44H32", shade(sail, -0.12), 0.9, 0.8) +
    pen.fill("M2 -104L18 -99L2 -95Z", "#d9453d") +
    pen.fill("M-48 -18H52C46 -6 40 2 34 4H-34C-42 0 -46 -8 -48 -18Z", hull) +
    pen.fill("M-48 -18H52L50 -13H-46Z", shade(hull, 0.14)) +
    pen.fill("M-40 -4Q0 2 42 -4L34 4H-34Z", "#2a2038", 0.2) +
    wake(brush, 52)
  );
}

/** A small rowing boat. */
export function drawBoat(brush: Brush): string {
  const { pen } = brush;
  const hull = mainColour(brush, ["#a35f3a", "#4f7f8f", "#b5483a", "#5f8a5a"]);
  const inside = shade(hull, -0.16);
  return (
    pen.fill("M-96 -62Q0 -44 96 -62Q80 -40 0 -38Q-80 -40 -96 -62Z", inside) +
    pen.fill(box(-40, -52, 14, 10) + box(26, -52, 14, 10), "#c9a06a") +
    pen.line("M-34 -56L-110 -8M34 -56L110 -8", "#b08a58", 4) +
    pen.fill("M-118 -12L-106 -4L-122 8L-132 2ZM118 -12L106 -4L122 8L132 2Z", "#c9a06a") +
    pen.fill(
      "M-98 -64C-88 -24 -70 2 -52 6H52C70 2 88 -24 98 -64Q60 -42 0 -42Q-60 -42 -98 -64Z",
      hull,
    ) +
    pen.line(
      "M-92 -46Q-50 -24 0 -24Q50 -24 92 -46M-82 -26Q-40 -8 0 -8Q40 -8 82 -26",
      shade(hull, -0.1),
      2.2,
      0.8,
    ) +
    pen.line("M-98 -64Q-60 -42 0 -42Q60 -42 98 -64", shade(hull, 0.14), 5) +
    wake(brush, 104)
  );
}

/** A steamer with funnels. */
export function drawShip(brush: Brush): string {
  const { pen, random } = brush;
  const hull = mainColour(brush, ["#2f3f5a", "#a33f38", "#34606a"]);
  const funnel = brush.colours[1] ?? random.pick(["#d9533c", "#e0a83c"]);
  const windowsAt = (y: number, from: number, count: number, gap: number): string => {
    const panes = range(count)
      .map((index) => box(from + index * gap, y, gap * 0.55, 5, 1))
      .join("");
    return brush.lit ? pen.light(panes, "#ffdc8a") : pen.fill(panes, "#56788a");
  };
  return (
    pen.fill(
      oval(-12, -104, 11, 7) + oval(-30, -112, 15, 9) + oval(-54, -117, 18, 10),
      "#e8e8e6",
      0.55,
    ) +
    pen.line("M70 -36V-84M70 -80L104 -36M70 -80L30 -54", "#6b5a4a", 1.4) +
    pen.fill(box(-24, -92, 18, 36) + box(12, -88, 18, 32), funnel) +
    pen.fill(box(-24, -92, 18, 8) + box(12, -88, 18, 8), "#2f2d33") +
    pen.fill(box(-62, -48, 116, 16), "#f6f1e6") +
    pen.fill(box(-44, -64, 84, 17), "#fbf8f0") +
    windowsAt(-58, -38, 8, 9.6) +
    windowsAt(-43, -56, 11, 9.8) +
    pen.fill("M-100 -34H104C100 -16 92 -2 82 4H-82C-92 -4 -98 -18 -100 -34Z", hull) +
    pen.fill("M-94 -10H97Q92 0 82 4H-82Q-90 -2 -94 -10Z", "#a33f38") +
    pen.line("M-99 -30H103", "#f6f1e6", 2.4) +
    portholes(
      brush,
      range(9).map((index) => -72 + index * 18),
      -20,
      2.8,
    ) +
    wake(brush, 108)
  );
}

/** A historic three-masted sailing ship. */
export function drawGalleon(brush: Brush): string {
  const { pen, random } = brush;
  const hull = mainColour(brush, ["#7a4f32", "#6b4630"]);
  const sail =
    brush.parts.get("sail") ?? brush.colours[1] ?? random.pick(["#f6ead0", "#f0e3c8", "#c8544a"]);
  const set = (x: number, top: number, width: number): string =>
    pen.line(`M${x} -20V${top - 6}`, "#5b4330", 2) +
    pen.fill(
      range(2)
        .map((index) => {
          const [y, w, h] = [top + index * 27, width * (0.78 + index * 0.22), 25];
          return `M${short(x - w)} ${y}H${short(x + w)}Q${short(x + w + 7)} ${y + h * 0.6} ${short(x + w * 0.9)} ${y + h}Q${x} ${y + h - 5} ${short(x - w * 0.9)} ${y + h}Q${short(x - w + 4)} ${y + h * 0.6} ${short(x - w)} ${y}Z`;
        })
        .join(""),
      sail,
    ) +
    pen.fill(`M${x} ${top - 6}l-13 3l13 4Z`, "#2f2d33");
  return (
    set(-44, -84, 17) +
    set(34, -82, 17) +
    set(-4, -98, 21) +
    pen.line("M66 -26L98 -48", "#5b4330", 2.4) +
    pen.fill("M62 -74L92 -46L60 -30Z", shade(sail, -0.05)) +
    pen.fill("M-82 -46H-48V-26H46V-38H76C72 -14 62 0 48 4H-52C-68 -4 -80 -24 -82 -46Z", hull) +
    pen.fill("M-84 -48H-46V-43H-84ZM44 -40H79V-35H44Z", "#d9a94a") +
    pen.line("M-76 -20Q0 -12 70 -22M-68 -8Q0 -2 60 -10", shade(hull, -0.1), 1.8) +
    portholes(brush, [-36, -18, 0, 18, 36], -16, 3) +
    portholes(brush, [-70, -58], -34, 2.6) +
    wake(brush, 86)
  );
}

/** A submarine with a periscope, centred on (0, 0). */
export function drawSubmarine(brush: Brush): string {
  const { pen } = brush;
  const hull = mainColour(brush, ["#e8b53c", "#d9743a", "#4f8a9a"]);
  return (
    pen.line("M4 -42V-66H18", shade(hull, -0.16), 5) +
    pen.fill("M-94 -26L-78 0L-94 26Z", shade(hull, -0.12)) +
    pen.fill("M-16 -34L-10 -52H22L28 -34Z", shade(hull, -0.05)) +
    pen.fill(
      "M-82 0C-78 -30 -40 -38 0 -38C52 -38 86 -24 90 0C86 24 52 38 0 38C-40 38 -78 30 -82 0Z",
      hull,
    ) +
    pen.fill("M-80 8C-60 24 60 24 88 8C80 26 50 38 0 38C-40 38 -74 30 -80 8Z", "#2a2038", 0.14) +
    pen.line("M-50 -33V33M56 -33V33", shade(hull, -0.1), 1.6) +
    portholes(brush, [-24, 8, 40], -4, 9) +
    pen.light(oval(94, 2, 60, 30), pen.glow("#fff3c0", 0.3)) +
    pen.fill(oval(-50, 0, 4), shade(hull, -0.2))
  );
}
