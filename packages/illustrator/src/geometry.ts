import type { Random } from "./random.ts";

/** A point: x to the right, y down. */
export type Point = readonly [x: number, y: number];

/** Formats a number for SVG with at most two decimals, so that equal drawings are equal strings. */
export function short(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return Object.is(rounded, -0) ? "0" : String(rounded);
}

function at(points: readonly Point[], index: number): Point {
  return points[(index + points.length) % points.length]!;
}

/** Path of straight lines through the points, closed by default. */
export function polygon(points: readonly Point[], closed = true): string {
  const steps = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${short(x)} ${short(y)}`);
  return steps.join("") + (closed ? "Z" : "");
}

/** Smooth path through all points (Catmull-Rom as cubic Béziers), closed by default. */
export function smooth(points: readonly Point[], closed = true, tension = 1): string {
  const last = points.length - 1;
  const pick = (index: number): Point =>
    closed ? at(points, index) : points[Math.min(last, Math.max(0, index))]!;
  const first = pick(0);
  let path = `M${short(first[0])} ${short(first[1])}`;
  const weight = tension / 6;
  for (let index = 0; index < points.length - (closed ? 0 : 1); index += 1) {
    const before = pick(index - 1);
    const from = pick(index);
    const to = pick(index + 1);
    const after = pick(index + 2);
    path +=
      `C${short(from[0] + (to[0] - before[0]) * weight)} ${short(from[1] + (to[1] - before[1]) * weight)}` +
      ` ${short(to[0] - (after[0] - from[0]) * weight)} ${short(to[1] - (after[1] - from[1]) * weight)}` +
      ` ${short(to[0])} ${short(to[1])}`;
  }
  return path + (closed ? "Z" : "");
}

/**
 * A circle or ellipse as a path. Clockwise like `box`, so that several shapes can share one
 * element.
 */
export function oval(x: number, y: number, radiusX: number, radiusY = radiusX): string {
  const rx = short(radiusX);
  const ry = short(radiusY);
  const wide = short(radiusX * 2);
  return `M${short(x - radiusX)} ${short(y)}a${rx} ${ry} 0 1 1 ${wide} 0a${rx} ${ry} 0 1 1 -${wide} 0Z`;
}

/** A rectangle as a path, with optionally rounded corners. */
export function box(x: number, y: number, width: number, height: number, radius = 0): string {
  if (radius === 0) {
    return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  }
  const r = Math.min(radius, width / 2, height / 2);
  const arc = (dx: number, dy: number): string =>
    `a${short(r)} ${short(r)} 0 0 1 ${short(dx)} ${short(dy)}`;
  return (
    `M${short(x + r)} ${short(y)}h${short(width - 2 * r)}${arc(r, r)}v${short(height - 2 * r)}${arc(-r, r)}` +
    `h${short(2 * r - width)}${arc(-r, -r)}v${short(2 * r - height)}${arc(r, -r)}Z`
  );
}

/** A limb: a tapered capsule between two points, with a width at each end. */
export function limb(from: Point, fromWidth: number, to: Point, toWidth: number): string {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const normal: Point = [-Math.sin(angle), Math.cos(angle)];
  const side = (point: Point, width: number, sign: number): string =>
    `${short(point[0] + (normal[0] * width * sign) / 2)} ${short(point[1] + (normal[1] * width * sign) / 2)}`;
  const end = short(toWidth / 2);
  const start = short(fromWidth / 2);
  return (
    `M${side(from, fromWidth, -1)}L${side(to, toWidth, -1)}A${end} ${end} 0 0 1 ${side(to, toWidth, 1)}` +
    `L${side(from, fromWidth, 1)}A${start} ${start} 0 0 1 ${side(from, fromWidth, -1)}Z`
  );
}

/** An irregular round shape, such as a tree crown or a stone. */
export function blob(
  random: Random,
  x: number,
  y: number,
  radiusX: number,
  radiusY: number,
  roughness = 0.12,
  corners = 10,
): string {
  const turn = random.between(0, Math.PI * 2);
  const points: Point[] = [];
  for (let index = 0; index < corners; index += 1) {
    const angle = turn + (index / corners) * Math.PI * 2;
    const reach = 1 + random.between(-roughness, roughness);
    points.push([x + Math.cos(angle) * radiusX * reach, y + Math.sin(angle) * radiusY * reach]);
  }
  return smooth(points);
}

/** A star with this many points. */
export function star(x: number, y: number, outer: number, inner: number, points: number): string {
  const corners: Point[] = [];
  for (let index = 0; index < points * 2; index += 1) {
    const angle = (index / (points * 2)) * Math.PI * 2 - Math.PI / 2;
    const radius = index % 2 === 0 ? outer : inner;
    corners.push([x + Math.cos(angle) * radius, y + Math.sin(angle) * radius]);
  }
  return polygon(corners);
}

/** Numbers from 0 to count - 1. */
export function range(count: number): number[] {
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => index);
}
