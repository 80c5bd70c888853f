import type { Random } from "../random.ts";
import type { Canvas } from "./canvas.ts";
import type { Actor } from "./cast.ts";
import type { Lane, Spots } from "./spots.ts";
import type { Terrain } from "./landscape.ts";

/** An actor with the position of its foot and its scale. */
export interface Placed {
  readonly actor: Actor;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The surroundings that actors are placed in. */
export interface Setting {
  readonly canvas: Canvas;
  readonly terrain: Terrain;
  readonly spots: Spots;
  readonly horizon: number;
  /** The side (-1 left, 1 right) of the main thing; the sun is on the other side. */
  readonly side: number;
}

const landmarks: ReadonlySet<string> = new Set([
  "lighthouse",
  "castle",
  "tower",
  "church",
  "house",
  "cottage",
  "windmill",
  "temple",
]);
// Positions of trees that frame a scene, as shares of the width.
const frame = [0.07, 0.9, 0.26, 0.74];
const lowFlyers: ReadonlySet<string> = new Set(["butterfly", "bee", "dragonfly"]);

function laneOf(actor: Actor): Lane {
  return actor.zone === "underwater" ? "water" : actor.zone;
}

/** Positions the actors in order of importance: near a third of the width, and without overlap. */
export function placeActors(setting: Setting, actors: readonly Actor[], random: Random): Placed[] {
  const { canvas, terrain, spots, side } = setting;
  const { width } = canvas;
  const placed: Placed[] = [];
  const groups = new Map<number, number>();
  const fit = (lane: Lane): number => {
    const crowd = actors
      .filter((actor) => laneOf(actor) === lane)
      .reduce((sum, actor) => sum + actor.halfWidth * 2, 0);
    return Math.max(
      0.45,
      Math.min(1, (width * (lane === "near" ? 1.25 : 1.1)) / Math.max(1, crowd)),
    );
  };
  let headland = terrain.headland;
  let heroX: number | null = null;
  for (const actor of actors) {
    const lane = laneOf(actor);
    const chance = random.fork(`${actor.kind} ${placed.length}`);
    const scale = fit(lane);
    if (headland !== null && landmarks.has(actor.kind)) {
      spots.occupy(lane, headland.x, actor.halfWidth * 0.85);
      const y = headland.y;
      placed.push({
        actor,
        x: headland.x,
        y,
        scale: Math.min(scale * 0.82, headroom(y, actor, canvas)),
      });
      heroX ??= headland.x;
      headland = null;
      continue;
    }
    if (actor.backdrop) {
      const x =
        width * ((frame[placed.length % frame.length] ?? 0.1) + chance.between(-0.03, 0.03));
      placed.push({ actor, x, ...depthOf(setting, actor, x, scale, false, chance) });
      continue;
    }
    const companion = actor.group >= 0 ? groups.get(actor.group) : undefined;
    const wanted = wantedX(actor, companion, heroX, width, side, chance);
    const { stream } = terrain;
    const x =
      lane === "water" && stream !== null
        ? stream.x + chance.between(-0.6, 0.6) * stream.halfWidth
        : spots.take(lane, wanted, actor.halfWidth * scale);
    if (actor.group >= 0 && companion === undefined) groups.set(actor.group, x);
    heroX ??= x;
    placed.push({
      actor,
      x,
      ...depthOf(setting, actor, x, scale, companion !== undefined, chance),
    });
  }
  return placed;
}

function wantedX(
  actor: Actor,
  companion: number | undefined,
  heroX: number | null,
  width: number,
  side: number,
  chance: Random,
): number {
  if (actor.side !== 0) return width * (0.5 + actor.side * 0.26);
  if (companion !== undefined) return companion + chance.between(-0.22, 0.22) * width;
  if (heroX === null) return width * (0.5 + side * 0.16);
  // Important actors stay close together, towards the middle.
  if (actor.important)
    return heroX + Math.sign(width / 2 - heroX) * width * chance.between(0.1, 0.2);
  return chance.chance(0.6) ? width - heroX : width * chance.between(0.15, 0.85);
}

/** The largest scale at which some sky remains above an actor. */
function headroom(y: number, actor: Actor, { height }: Canvas): number {
  return (y - height * 0.07) / actor.height;
}

/** The y of an actor's foot, and the scale for that depth. */
function depthOf(
  { canvas, terrain, horizon }: Setting,
  actor: Actor,
  x: number,
  scale: number,
  inGroup: boolean,
  chance: Random,
): { y: number; scale: number } {
  const { height } = canvas;
  const lane = laneOf(actor);
  if (lane === "middle") {
    const y = terrain.middle(x) + chance.between(0, 0.035) * height;
    return { y, scale: Math.min(scale, headroom(y, actor, canvas)) };
  }
  if (lane === "near") {
    const line = terrain.near(x);
    const person = actor.kind === "person";
    const depth = person
      ? chance.between(0.72, 0.8)
      : actor.important
        ? 0.78
        : chance.between(actor.height < height * 0.1 ? 0.35 : 0.42, 0.86);
    return {
      y: line + (height - line) * depth,
      scale: person || actor.important ? scale : scale * (0.82 + depth * 0.24),
    };
  }
  if (lane === "water") {
    if (terrain.water === null) return { y: terrain.near(x) + height * 0.1, scale };
    const [top, bottom] = terrain.water;
    // Under water, things are at any depth; on the surface, they float and get smaller with
    // distance.
    const deep = terrain.sky !== null;
    const t = deep
      ? chance.next()
      : actor.important
        ? 0.93
        : inGroup
          ? chance.between(0.2, 0.85)
          : chance.between(0.42, 0.72);
    return {
      y: top + (bottom - top) * t,
      scale: deep
        ? scale * chance.between(0.85, 1.1)
        : actor.important
          ? scale
          : scale * (0.55 + t * 0.6),
    };
  }
  const size = inGroup ? scale * chance.between(0.6, 0.95) : scale;
  if (lowFlyers.has(actor.kind)) return { y: height * chance.between(0.56, 0.8), scale: size };
  const share =
    actor.kind === "balloon" || actor.kind === "rocket"
      ? chance.between(0.5, 0.78)
      : actor.kind === "bat" || actor.kind === "kite"
        ? chance.between(0.3, 0.6)
        : chance.between(0.22, 0.5);
  // Leave room above, so that neither the actor nor its riders are cut off.
  const above = actor.important && actor.kind !== "person" ? 1.8 : 1.15;
  return { y: Math.max(actor.height * size * above, horizon * share), scale: size };
}
