import { underLight } from "../colour.ts";
import type { Brush } from "../draw/brush.ts";
import type { Pose } from "../draw/person/limbs.ts";
import { box, oval, short } from "../geometry.ts";
import type { Random } from "../random.ts";
import type { Figure, Side, Thing } from "../scene.ts";
import { inFlight, subjects } from "../subjects.ts";
import type { Subject } from "../subjects.ts";
import type { Canvas, Surroundings } from "./canvas.ts";
import { drawFigure, extentOf } from "./figures.ts";

/** Something to be put into a picture, drawn 100 units high on (0, 0). */
export interface Actor {
  readonly zone: Subject["zone"];
  /** Height and half width in the near ground. */
  readonly height: number;
  readonly halfWidth: number;
  /** Drawn facing right; it looks better towards the middle of the picture. */
  readonly faces: boolean;
  /** Number of its group, and how many are in it. */
  readonly group: number;
  readonly important: boolean;
  readonly floats: boolean;
  /** Belongs to the background: others may stand before it. */
  readonly backdrop: boolean;
  readonly kind: string;
  /** Where it was said to be. */
  readonly side: Side;
  /** Markup for a facing: 1 right, -1 left. */
  draw(facing: 1 | -1): string;
}

/** Height of an adult as a share of the unit, so that few people are seen from near. */
function adultShare(count: number): number {
  return count <= 1 ? 0.56 : count === 2 ? 0.53 : count <= 4 ? 0.46 : count <= 6 ? 0.38 : 0.31;
}

/** The share of the unit that the sizes of subjects go with. */
const usualAdult = 0.34;

/** Who flies is further away. */
const flyerShare = 0.62;

const upright: ReadonlySet<string> = new Set(["middle"]);

/** The actors for things and for the figures that are in or on them or stand alone, most important first; `grows`: few things are drawn larger. */
export function castOf(
  canvas: Canvas,
  surroundings: Surroundings,
  things: readonly Thing[],
  figures: readonly Figure[],
  random: Random,
  grows: boolean,
): Actor[] {
  const { pen, unit } = canvas;
  const { air, ground } = surroundings;
  const adult = unit * adultShare(figures.length);
  const actors: Actor[] = [];
  const total = things.reduce(
    (sum, { count, kind }) => sum + (subjects[kind]?.zone === "middle" ? 0 : count),
    0,
  );
  // A lone cat fills the picture; a cat among many things does not; beside people it is as large
  // as they are drawn.
  const growth = !grows
    ? 1
    : figures.length > 0
      ? Math.max(1, Math.min(1.5, adult / unit / usualAdult))
      : total <= 1
        ? 1.8
        : total === 2
          ? 1.5
          : total === 3
            ? 1.3
            : total <= 5
              ? 1.12
              : 1;

  // What is near stays legible in the dark: it takes on less of the light than the land.
  const light = [0, 1, 2].map((channel) => 1 - (1 - (air.ambient[channel] ?? 1)) * 0.55);
  const nearLight = [light[0] ?? 1, light[1] ?? 1, light[2] ?? 1] as const;
  const farPen = pen.withEdge(1).withTone((colour) => underLight(colour, air.ambient));
  const nearPen = pen.withEdge(1).withTone((colour) => underLight(colour, nearLight));
  const figureMarkup = (figure: Figure): string =>
    pen.inLight(nearLight, drawFigure(pen, figure.look, poseOf(figure, things), ground));
  for (const figure of figures) {
    if (figure.on !== null && (things[figure.on]?.count ?? 0) > 0) continue;
    const extent = extentOf(figure.look);
    const markup = figureMarkup(figure);
    const animal = figure.look.figure === "animal";
    const usual = animal ? (subjects[figure.look.kind]?.zone ?? "near") : "near";
    const zone = figure.flying ? "sky" : usual;
    const height = adult * extent.height * (figure.flying ? flyerShare : 1);
    actors.push({
      zone: zone === "water" || zone === "sky" ? zone : "near",
      height,
      halfWidth: height * (figure.flying ? 0.5 : extent.halfWidth),
      faces: animal || figure.flying,
      group: -1,
      important: true,
      backdrop: false,
      floats: zone === "sky" || zone === "underwater",
      kind: animal ? figure.look.kind : "person",
      side: figure.side,
      draw: (facing) => {
        const flight = figure.flying && !animal ? pen.place(markup, -34, -16, 1, 1, 52) : markup;
        return facing === -1 && (animal || figure.flying) ? pen.place(flight, 0, 0, -1, 1) : flight;
      },
    });
  }
  for (const [index, thing] of things.entries()) {
    const subject = thing.flying ? inFlight(thing.kind) : subjects[thing.kind];
    if (subject === undefined) continue;
    const riders = figures.filter(({ on }) => on === index);
    const rider = adult * (thing.flying ? flyerShare : 1);
    const crowding = thing.count > 4 ? 4 / (thing.count + 0.01) : 1;
    for (let number = 0; number < thing.count; number += 1) {
      const chance = random.fork(`${thing.kind} ${index} ${number}`);
      const vary = thing.count > 1 ? chance.between(0.86, 1.1) : 1;
      const boost =
        number === 0 && riders.length > 0
          ? riderBoost(subject, rider, unit * thing.size, riders.length)
          : 1;
      const grown =
        subject.zone === "middle" || riders.length > 0
          ? subject.size
          : Math.max(subject.size, Math.min(thing.flying ? 0.22 : 0.4, subject.size * growth));
      const height =
        Math.min(
          unit * grown,
          subject.zone === "middle" ? unit : (canvas.width * 34) / subject.halfWidth,
        ) *
        thing.size *
        vary *
        boost *
        Math.max(0.55, crowding ** 0.4);
      const brush: Brush = {
        pen: subject.zone === "middle" ? farPen : nearPen,
        random: chance,
        ground,
        lit: air.lit,
        colours: thing.colours,
        parts: thing.parts,
      };
      const own = subject.draw(brush);
      const markup =
        number === 0 && riders.length > 0
          ? withRiders(
              canvas,
              subject,
              own,
              riders,
              (rider * (subject.encloses ? 0.8 : 0.86)) / height,
              figureMarkup,
            )
          : (facing: 1 | -1) => (facing === -1 ? pen.place(own, 0, 0, -1, 1) : own);
      actors.push({
        zone: subject.zone,
        height,
        halfWidth: (height * subject.halfWidth) / 100,
        faces: !upright.has(subject.zone),
        group: index,
        important: riders.length > 0,
        backdrop: thing.family === "backdrop",
        floats: subject.zone === "sky" || subject.zone === "underwater",
        kind: thing.kind,
        side: thing.side,
        draw: (facing) => (facing === -1 && !upright.has(subject.zone) ? markup(-1) : markup(1)),
      });
    }
  }
  return actors;
}

function poseOf({ pose, on, flying }: Figure, things: readonly Thing[]): Pose {
  if (flying) return "soar";
  const seated = on !== null && (things[on]?.count ?? 0) > 0;
  return pose === "sit" && seated ? "perch" : pose;
}

/** How much larger a thing is drawn so that people fit in or on it. */
function riderBoost(subject: Subject, adult: number, unit: number, riders: number): number {
  const needed = subject.encloses
    ? adult * 0.62
    : subject.halfWidth > 90
      ? adult * Math.max(0.42, riders * 0.16)
      : adult * 0.72;
  return Math.min(4, Math.max(1, needed / (unit * subject.size)));
}

function withRiders(
  canvas: Canvas,
  subject: Subject,
  own: string,
  riders: readonly Figure[],
  share: number,
  markupOf: (figure: Figure) => string,
): (facing: 1 | -1) => string {
  const { pen } = canvas;
  const [seatX, seatY] = subject.seat ?? [0, 0];
  return (facing) => {
    const body = facing === -1 ? pen.place(own, 0, 0, -1, 1) : own;
    // As far apart as they are wide, where there is room.
    const apart = Math.max(46, 36 * share);
    const step = Math.min(apart, (subject.halfWidth * (apart > 46 ? 1.5 : 1.1)) / riders.length);
    const people = riders
      .map((figure, index) => {
        const extent = extentOf(figure.look);
        const scale = share * extent.height;
        const sunk = subject.encloses
          ? 34 * scale
          : figure.pose === "ride"
            ? 40 * scale
            : figure.pose === "sit"
              ? 24 * scale
              : 0;
        const x = seatX * facing + (index - (riders.length - 1) / 2) * step;
        const person = pen.place(markupOf(figure), x, seatY + sunk, scale);
        if (figure.pose !== "ride" || subject.encloses || figure.look.figure === "animal")
          return person;
        // Astride: the near leg hangs down over the flank.
        const leg = figure.look.bottom.colour;
        const foot = figure.look.feet.colour;
        const down = `M${short(x + 2 * scale)} ${short(seatY - 4 * scale)}q${short(6 * scale * facing)} ${short(12 * scale)} ${short(4 * scale * facing)} ${short(27 * scale)}`;
        return (
          person +
          pen.line(down, leg, 8.4 * scale) +
          pen.fill(
            oval(x + (2 + 6.4 * facing) * scale, seatY + 25 * scale, 5.4 * scale, 3.2 * scale),
            foot,
          )
        );
      })
      .join("");
    // Nobody's feet hang out below the hull.
    return subject.encloses ? pen.clip(box(-400, -600, 800, 594), people) + body : body + people;
  };
}
