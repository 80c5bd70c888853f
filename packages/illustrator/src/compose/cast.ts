import { underLight } from "../colour.ts";
import type { Brush } from "../draw/brush.ts";
import type { Pen } from "../pen.ts";
import type { Random } from "../random.ts";
import type { Figure, Side, Thing } from "../scene.ts";
import { inFlight, subjects } from "../subjects.ts";
import type { Subject } from "../subjects.ts";
import type { Canvas, Surroundings } from "./canvas.ts";
import { drawFigure, extentOf } from "./figures.ts";
import { drawWithRiders, isRider, poseOf, riderBoost } from "./riders.ts";

/** A subject to place in a picture, drawn 100 units high with its foot at (0, 0). */
export interface Actor {
  readonly zone: Subject["zone"];
  /** Height and half width in the near ground. */
  readonly height: number;
  readonly halfWidth: number;
  /** Drawn facing right; placement turns it towards the middle of the picture. */
  readonly faces: boolean;
  /** Index of its group and the size of that group. */
  readonly group: number;
  readonly important: boolean;
  readonly floats: boolean;
  /** Belongs to the background, so others may stand in front of it. */
  readonly backdrop: boolean;
  readonly kind: string;
  /** The side described in the prompt. */
  readonly side: Side;
  /** Markup for a facing: 1 right, -1 left. */
  draw(facing: 1 | -1): string;
}

/** Adult height, as a share of the unit, that subject sizes are relative to. */
const usualAdult = 0.34;

/** Flying figures are drawn further away, so smaller. */
const flyerShare = 0.62;

/** Values for up to this many subjects. */
type Steps = readonly (readonly [count: number, value: number])[];

/** Height of an adult as a share of the unit: larger when there are few people. */
const adultShares: Steps = [
  [1, 0.56],
  [2, 0.53],
  [4, 0.46],
  [6, 0.38],
];

/** Growth of things without people: a lone cat fills the picture, a cat among many things does not. */
const thingGrowths: Steps = [
  [1, 1.8],
  [2, 1.5],
  [3, 1.3],
  [5, 1.12],
];

function stepOf(count: number, steps: Steps, beyond: number): number {
  return steps.find(([most]) => count <= most)?.[1] ?? beyond;
}

/** The context of all actors of a scene. */
interface Casting {
  readonly canvas: Canvas;
  readonly surroundings: Surroundings;
  readonly things: readonly Thing[];
  readonly figures: readonly Figure[];
  readonly random: Random;
  /** Height of an adult. */
  readonly adult: number;
  /** Scale of things without people. */
  readonly growth: number;
  readonly nearPen: Pen;
  readonly farPen: Pen;
  readonly markupOf: (figure: Figure) => string;
}

/**
 * Returns the actors of a scene, most important first: figures that stand alone, then things with the
 * figures in or on them.
 *
 * @param grows whether subjects are drawn larger when there are few of them.
 */
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
  const adult = unit * stepOf(figures.length, adultShares, 0.31);
  // Near subjects stay legible in the dark: they take on less of the ambient light than the land.
  const [red, green, blue] = [0, 1, 2].map(
    (channel) => 1 - (1 - (air.ambient[channel] ?? 1)) * 0.55,
  );
  const nearLight = [red ?? 1, green ?? 1, blue ?? 1] as const;
  const casting: Casting = {
    canvas,
    surroundings,
    things,
    figures,
    random,
    adult,
    growth: grows ? growthOf(things, figures, adult / unit) : 1,
    farPen: pen.withEdge(1).withTone((colour) => underLight(colour, air.ambient)),
    nearPen: pen.withEdge(1).withTone((colour) => underLight(colour, nearLight)),
    markupOf: (figure) =>
      pen.inLight(nearLight, drawFigure(pen, figure.look, poseOf(figure, things), ground)),
  };
  return [
    ...figures
      .filter((figure) => !isRider(figure, things))
      .map((figure) => castFigure(figure, casting)),
    ...things.flatMap((thing, index) => castThing(thing, index, casting)),
  ];
}

/** Next to people, things keep their relative size. */
function growthOf(
  things: readonly Thing[],
  figures: readonly Figure[],
  adultShare: number,
): number {
  if (figures.length > 0) return Math.max(1, Math.min(1.5, adultShare / usualAdult));
  const near = things.filter(({ kind }) => subjects[kind]?.zone !== "middle");
  const total = near.reduce((sum, { count }) => sum + count, 0);
  return stepOf(total, thingGrowths, 1);
}

function castFigure(figure: Figure, { canvas, adult, markupOf }: Casting): Actor {
  const { pen } = canvas;
  const { look, flying } = figure;
  const extent = extentOf(look);
  const markup = markupOf(figure);
  const isAnimal = look.figure === "animal";
  const kind = isAnimal ? look.kind : "person";
  const usualZone = isAnimal ? (subjects[look.kind]?.zone ?? "near") : "near";
  const zone = flying ? "sky" : usualZone;
  const height = adult * extent.height * (flying ? flyerShare : 1);
  const faces = isAnimal || flying;
  return {
    zone: zone === "water" || zone === "sky" ? zone : "near",
    height,
    halfWidth: height * (flying ? 0.5 : extent.halfWidth),
    faces,
    group: -1,
    important: true,
    backdrop: false,
    floats: zone === "sky" || zone === "underwater",
    kind,
    side: figure.side,
    draw(facing) {
      const upright = flying && !isAnimal ? pen.place(markup, -34, -16, 1, 1, 52) : markup;
      return facing === -1 && faces ? pen.place(upright, 0, 0, -1, 1) : upright;
    },
  };
}

/** One actor for each of its number; the first one carries the riders. */
function castThing(thing: Thing, index: number, casting: Casting): Actor[] {
  const subject = thing.flying ? inFlight(thing.kind) : subjects[thing.kind];
  if (subject === undefined) return [];
  const riders = casting.figures.filter(({ on }) => on === index);
  return Array.from({ length: thing.count }, (_, number) => {
    const random = casting.random.fork(`${thing.kind} ${index} ${number}`);
    return castOne({ thing, index, subject, riders, carries: number === 0, random }, casting);
  });
}

interface OneThing {
  readonly thing: Thing;
  readonly index: number;
  readonly subject: Subject;
  /** The figures in or on this thing or another one of its group. */
  readonly riders: readonly Figure[];
  /** Whether this one carries the riders. */
  readonly carries: boolean;
  readonly random: Random;
}

function castOne(one: OneThing, casting: Casting): Actor {
  const { thing, index, subject, riders, random } = one;
  const { canvas, surroundings, nearPen, farPen, markupOf } = casting;
  const { pen } = canvas;
  const carries = one.carries && riders.length > 0;
  const adult = casting.adult * (thing.flying ? flyerShare : 1);
  const height = heightOf(one, carries ? adult : null, casting);
  const brush: Brush = {
    pen: subject.zone === "middle" ? farPen : nearPen,
    random,
    ground: surroundings.ground,
    lit: surroundings.air.lit,
    colours: thing.colours,
    parts: thing.parts,
  };
  const own = subject.draw(brush);
  const faces = subject.zone !== "middle";
  const share = (adult * (subject.encloses ? 0.8 : 0.86)) / height;

  function draw(facing: 1 | -1): string {
    if (carries) return drawWithRiders(canvas, subject, own, { riders, share, markupOf }, facing);
    return facing === -1 ? pen.place(own, 0, 0, -1, 1) : own;
  }

  return {
    zone: subject.zone,
    height,
    halfWidth: (height * subject.halfWidth) / 100,
    faces,
    group: index,
    important: riders.length > 0,
    backdrop: thing.family === "backdrop",
    floats: subject.zone === "sky" || subject.zone === "underwater",
    kind: thing.kind,
    side: thing.side,
    draw: (facing) => draw(faces ? facing : 1),
  };
}

/**
 * The height of a thing, which varies within a group and falls with the size of the group.
 *
 * @param riderHeight height of the adults that must fit in or on it; null without riders.
 */
function heightOf(
  { thing, subject, riders, random }: OneThing,
  riderHeight: number | null,
  { canvas, growth }: Casting,
): number {
  const { unit, width } = canvas;
  const crowding = thing.count > 4 ? 4 / (thing.count + 0.01) : 1;
  const variation = thing.count > 1 ? random.between(0.86, 1.1) : 1;
  const boost =
    riderHeight === null ? 1 : riderBoost(subject, riderHeight, unit * thing.size, riders.length);
  const keepsSize = subject.zone === "middle" || riders.length > 0;
  const limit = thing.flying ? 0.22 : 0.4;
  const size = keepsSize
    ? subject.size
    : Math.max(subject.size, Math.min(limit, subject.size * growth));
  const widest = subject.zone === "middle" ? unit : (width * 34) / subject.halfWidth;
  return (
    Math.min(unit * size, widest) * thing.size * variation * boost * Math.max(0.55, crowding ** 0.4)
  );
}
