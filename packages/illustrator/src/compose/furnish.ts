import { shade } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short } from "../geometry.ts";
import type { Random } from "../random.ts";
import type { Scene } from "../scene.ts";
import * as furniture from "../draw/furniture.ts";
import * as workFurniture from "../draw/work-furniture.ts";
import type { Furniture } from "../draw/furniture.ts";
import { decors, drawLightBeam, drawPendant, drawShell, drawWindow } from "../draw/room-shell.ts";
import type { Decor } from "../draw/room-shell.ts";
import type { Stage } from "../draw/stage.ts";
import type { Canvas } from "./canvas.ts";

interface Furnishing {
  /** Furniture from the sides inwards; the window takes the remaining width. */
  readonly pieces: readonly Furniture[];
  readonly floor: "planks" | "tiles" | "flags";
  readonly rug: boolean;
}

const { banners, bookcase, bed, sofa, fireplace, throne, potPlant, cafeTable } = furniture;
const { stove, counter, blackboard, workbench, desk, bar, trunks } = workFurniture;
const furnishings: Readonly<Record<string, Furnishing>> = {
  kitchen: { pieces: [stove, counter], floor: "tiles", rug: false },
  library: { pieces: [bookcase, bookcase], floor: "planks", rug: true },
  livingroom: { pieces: [sofa, fireplace], floor: "planks", rug: true },
  bedroom: { pieces: [bed, bookcase], floor: "planks", rug: true },
  cafe: { pieces: [bar, cafeTable], floor: "tiles", rug: false },
  classroom: { pieces: [blackboard, bookcase], floor: "planks", rug: false },
  workshop: { pieces: [workbench, trunks], floor: "flags", rug: false },
  hall: { pieces: [throne], floor: "flags", rug: true },
  attic: { pieces: [trunks, bookcase], floor: "planks", rug: false },
  study: { pieces: [desk, bookcase], floor: "planks", rug: true },
  room: { pieces: [sofa, potPlant], floor: "planks", rug: true },
};

/** The furniture of a room and its positions. */
interface Arrangement {
  readonly pieces: readonly { readonly piece: Furniture; readonly x: number }[];
  readonly scale: number;
  readonly decor: Decor;
  readonly random: Random;
}

/**
 * Chooses and positions the furniture.
 *
 * @param colour the described colour of its cloth, or null.
 * @param taken furniture that somebody sits on; it stands further in front.
 */
export function arrange(
  { width, height, unit }: Canvas,
  stage: Stage,
  room: string,
  colour: Colour | null,
  taken: ReadonlySet<string>,
): Arrangement {
  const random = stage.random.fork(`room ${room}`);
  const usual = random.pick(decors);
  const { pieces } = furnishings[room] ?? furnishings["room"]!;
  const order = random.chance(0.5) ? pieces : pieces.toReversed();
  const narrow = width < height * 0.8;
  const spots = room === "hall" ? [0.5] : [narrow ? 0.2 : 0.19, narrow ? 0.84 : 0.82];
  return {
    pieces: order.flatMap((piece, index) => {
      const left = leftBehind(piece, taken);
      return left === null ? [] : [{ piece: left, x: width * (spots[index] ?? 0.5) }];
    }),
    scale: (unit / 1024) * (width < height ? 0.85 : 1),
    decor: colour === null ? usual : { ...usual, cloth: colour },
    random,
  };
}

/**
 * Returns the furniture that remains at the wall when a piece has moved to the front; null if
 * nothing does.
 */
function leftBehind(piece: Furniture, taken: ReadonlySet<string>): Furniture | null {
  if (piece === sofa && taken.has("sofa")) return null;
  if (piece === throne && taken.has("throne")) return banners;
  return piece;
}

/** Seat height of each piece. */
const seatHeights: ReadonlyMap<Furniture, number> = new Map([
  [sofa, 66],
  [bed, 122],
  [desk, 150],
]);

/** The position of somebody on the furniture; null if there is no such piece. */
export function seatIn(
  { pieces, scale }: Arrangement,
  floorLine: number,
): { readonly x: number; readonly y: number } | null {
  const seat = pieces.find(({ piece }) => seatHeights.has(piece));
  if (seat === undefined) return null;
  return { x: seat.x, y: floorLine + 10 - (seatHeights.get(seat.piece) ?? 0) * scale };
}

/** A room with its furniture, windows and lamps. */
export function furnish(
  canvas: Canvas,
  stage: Stage,
  scene: Scene,
  room: string,
  { pieces, scale, decor, random }: Arrangement,
  lit: boolean,
): string {
  const { width, height, unit } = canvas;
  const { pen, horizon: floorLine } = stage;
  const { floor, rug } = furnishings[room] ?? furnishings["room"]!;
  const parts = [drawShell(stage, decor, floor)];
  const windowX = room === "hall" ? width * 0.12 : width * 0.5;
  const [w, h] = [unit * 0.21, unit * 0.27];
  const sill = floorLine - height * 0.2;
  if (room !== "hall") parts.push(drawWindow(stage, decor, scene.time, windowX, sill, w, h));
  else
    for (const at of [0.13, 0.87])
      parts.push(drawWindow(stage, decor, scene.time, width * at, sill, w * 0.7, h * 1.1));
  for (const [index, { piece, x }] of pieces.entries()) {
    parts.push(
      pen.light(
        oval(x, floorLine + 12, 210 * scale, 16 * scale),
        pen.radial([
          [0, "#1c1830", 0.4],
          [1, "#1c1830", 0],
        ]),
      ),
      pen.place(piece(pen, decor, random.fork(`piece ${index}`), lit), x, floorLine + 10, scale),
    );
  }
  if (width > height * 1.3)
    parts.push(
      pen.place(potPlant(pen, decor, random, lit), width * 0.655, floorLine + 12, scale * 0.9),
    );
  if (rug) {
    const y = floorLine + (height - floorLine) * 0.56;
    parts.push(
      pen.fill(oval(width * 0.5, y, width * 0.36, (height - floorLine) * 0.3), decor.cloth),
      pen.line(
        oval(width * 0.5, y, width * 0.33, (height - floorLine) * 0.265),
        shade(decor.cloth, 0.16),
        5,
        0.8,
      ),
      pen.line(
        oval(width * 0.5, y, width * 0.27, (height - floorLine) * 0.21),
        decor.accent,
        7,
        0.7,
      ),
    );
  }
  if (room === "attic")
    parts.push(
      pen.fill(
        `M-4 -4H${short(width * 0.42)}L-4 ${short(height * 0.42)}ZM${short(width + 4)} -4H${short(width * 0.58)}L${short(width + 4)} ${short(height * 0.42)}Z`,
        shade(decor.wood, -0.04),
      ),
      pen.line(
        range(4)
          .map(
            (index) =>
              `M${short(width * 0.1 * (index + 0.6))} -4L-4 ${short(height * 0.1 * (index + 0.6))}M${short(width * (1 - 0.1 * (index + 0.6)))} -4L${short(width + 4)} ${short(height * 0.1 * (index + 0.6))}`,
          )
          .join(""),
        shade(decor.wood, -0.12),
        6,
      ),
    );
  if (room === "hall")
    parts.push(
      pen.fill(
        range(2)
          .map((index) => box(width * (0.02 + index * 0.9) - 4, -4, width * 0.06, floorLine + 12))
          .join(""),
        shade(decor.wall, -0.12),
      ),
    );
  if (["kitchen", "cafe", "study", "room"].includes(room))
    for (const at of room === "cafe" ? [0.24, 0.5, 0.76] : [0.5])
      parts.push(drawPendant(stage, decor, width * at, height * 0.11, unit * 0.05, lit));
  if (scene.time === "day" || scene.time === "dawn" || scene.time === "sunset")
    parts.push(drawLightBeam(stage, windowX, w, random.pick([-1, 1])));
  return parts.join("");
}
