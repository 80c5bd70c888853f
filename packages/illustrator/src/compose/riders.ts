import type { Pose } from "../draw/person/limbs.ts";
import { box, oval, short } from "../geometry.ts";
import type { Figure, Thing } from "../scene.ts";
import type { Subject } from "../subjects.ts";
import type { Canvas } from "./canvas.ts";
import { extentOf } from "./figures.ts";

/** Whether a figure is in or on one of the things. */
export function isRider({ on }: Figure, things: readonly Thing[]): boolean {
  return on !== null && (things[on]?.count ?? 0) > 0;
}

/** The pose of a figure: on a thing, it sits differently than on the ground. */
export function poseOf(figure: Figure, things: readonly Thing[]): Pose {
  if (figure.flying) return "soar";
  return figure.pose === "sit" && isRider(figure, things) ? "perch" : figure.pose;
}

/**
 * Scale factor for a thing so that people fit in or on it.
 *
 * @param adult height of an adult.
 * @param unit height of a thing of size 1.
 */
export function riderBoost(subject: Subject, adult: number, unit: number, riders: number): number {
  return Math.min(4, Math.max(1, (adult * neededShare(subject, riders)) / (unit * subject.size)));
}

/** Height that a thing needs, as a share of an adult. */
function neededShare({ encloses, halfWidth }: Subject, riders: number): number {
  if (encloses) return 0.62;
  return halfWidth > 90 ? Math.max(0.42, riders * 0.16) : 0.72;
}

interface Riders {
  readonly riders: readonly Figure[];
  /** Height of an adult as a share of the thing's height. */
  readonly share: number;
  readonly markupOf: (figure: Figure) => string;
}

/** Draws a thing, 100 units high, with people in or on it. */
export function drawWithRiders(
  { pen }: Canvas,
  subject: Subject,
  own: string,
  { riders, share, markupOf }: Riders,
  facing: 1 | -1,
): string {
  const [seatX, seatY] = subject.seat ?? [0, 0];
  const body = facing === -1 ? pen.place(own, 0, 0, -1, 1) : own;
  // Spaced by their width if there is room.
  const apart = Math.max(46, 36 * share);
  const step = Math.min(apart, (subject.halfWidth * (apart > 46 ? 1.5 : 1.1)) / riders.length);
  const people = riders.map((figure, index) => {
    const scale = share * extentOf(figure.look).height;
    const x = seatX * facing + (index - (riders.length - 1) / 2) * step;
    const person = pen.place(markupOf(figure), x, seatY + sinkOf(figure, subject) * scale, scale);
    const { look } = figure;
    if (figure.pose !== "ride" || subject.encloses || look.figure === "animal") return person;
    // Astride: the near leg hangs over the flank.
    const leg = `M${short(x + 2 * scale)} ${short(seatY - 4 * scale)}q${short(6 * scale * facing)} ${short(12 * scale)} ${short(4 * scale * facing)} ${short(27 * scale)}`;
    const foot = oval(x + (2 + 6.4 * facing) * scale, seatY + 25 * scale, 5.4 * scale, 3.2 * scale);
    return (
      person + pen.line(leg, look.bottom.colour, 8.4 * scale) + pen.fill(foot, look.feet.colour)
    );
  });
  // Clip at the hull, so that feet do not show below it.
  return subject.encloses
    ? pen.clip(box(-400, -600, 800, 594), people.join("")) + body
    : body + people.join("");
}

/** How far below the seat the feet of a person are, relative to a height of 100. */
function sinkOf({ pose }: Figure, { encloses }: Subject): number {
  if (encloses) return 34;
  if (pose === "ride") return 40;
  return pose === "sit" ? 24 : 0;
}
