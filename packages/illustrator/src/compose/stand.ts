import { furniture } from "../habitats.ts";
import type { Random } from "../random.ts";
import type { Canvas } from "./canvas.ts";
import type { Actor } from "./cast.ts";
import { drawShadow } from "./shadow.ts";
import { createSpots } from "./spots.ts";

// Small things that nevertheless stand on the floor.
const floorThings: ReadonlySet<string> = new Set([
  "ball",
  "chest",
  "crate",
  "barrel",
  "bench",
  "chair",
  "snail",
  "turtle",
  "bicycle",
]);
const onTable = [0, -0.5, 0.48, -0.24, 0.26, 0.74];

/**
 * Places people and things on the floor of a room, and small things on the table if there is one.
 * Fixtures come first and use the place's random source, so they keep their positions in every
 * scene. The first animal or thing gets the seat, if there is one.
 */
export function standInRoom(
  canvas: Canvas,
  fixtures: readonly Actor[],
  actors: readonly Actor[],
  floorLine: number,
  seat: { readonly x: number; readonly y: number } | null,
  placeRandom: Random,
  random: Random,
): string {
  const { pen, width, height } = canvas;
  const depth = height - floorLine;
  const spots = createSpots(width, placeRandom.fork("spots"));
  const laid: { readonly y: number; readonly markup: string }[] = [];
  const table = [...fixtures, ...actors].find(({ kind }) => kind === "table");
  const tableX = width * placeRandom.fork("table").between(0.36, 0.64);
  const tableY = floorLine + depth * 0.52;
  const tableScale = table === undefined ? 1 : Math.min(1.35, (width * 0.25) / table.halfWidth);
  let served = 0;

  const stand = (actor: Actor, chance: Random): void => {
    const lane = actor.zone === "sky" ? "sky" : "near";
    const small = actor.height < height * 0.2 && !actor.important && !floorThings.has(actor.kind);
    const place = onTable[served];
    if (table !== undefined && small && lane === "near" && place !== undefined) {
      served += 1;
      const x = tableX + place * table.halfWidth * tableScale;
      const y = tableY - table.height * tableScale * 0.94;
      laid.push({
        y: tableY + 1,
        markup: pen.place(actor.draw(1), x, y, (actor.height * 0.85) / 100),
      });
      return;
    }
    const central = actor.kind === "person" || actor.important;
    const usual = central ? chance.between(0.4, 0.6) : chance.pick([0.22, 0.36, 0.64, 0.78]);
    const wanted = actor.side === 0 ? usual : 0.5 + actor.side * 0.26;
    const x = spots.take(lane, width * wanted, actor.halfWidth);
    const y =
      lane === "sky"
        ? height * chance.between(0.25, 0.45)
        : floorLine + depth * (central ? chance.between(0.66, 0.8) : chance.between(0.5, 0.82));
    const shadow = actor.floats ? "" : drawShadow(pen, x, y, actor.halfWidth * 0.98);
    const facing = actor.faces && x > width / 2 ? -1 : 1;
    laid.push({ y, markup: shadow + pen.place(actor.draw(facing), x, y, actor.height / 100) });
  };

  if (table !== undefined) {
    spots.occupy("near", tableX, table.halfWidth * tableScale * 0.7);
    const shadow = drawShadow(pen, tableX, tableY, table.halfWidth * tableScale);
    laid.push({
      y: tableY,
      markup: shadow + pen.place(table.draw(1), tableX, tableY, (table.height * tableScale) / 100),
    });
  }
  for (const [index, actor] of fixtures.entries())
    if (actor !== table) stand(actor, placeRandom.fork(`fixture ${index}`));
  const seated = actors.find(({ kind, floats }) => seat !== null && kind !== "person" && !floats);
  if (seat !== null && seated !== undefined)
    laid.push({
      y: floorLine,
      markup: pen.place(
        seated.draw(1),
        seat.x,
        seat.y,
        Math.min(seated.height * 0.9, height * 0.18) / 100,
      ),
    });
  for (const [index, actor] of actors.entries())
    if (actor !== table && actor !== seated)
      stand(
        actor,
        // A sofa keeps its position between scenes, regardless of who sits on it.
        furniture.has(actor.kind) ? placeRandom.fork(actor.kind) : random.fork(`actor ${index}`),
      );
  return laid
    .sort((one, other) => one.y - other.y)
    .map(({ markup }) => markup)
    .join("");
}
