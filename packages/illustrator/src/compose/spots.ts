import type { Random } from "../random.ts";

export type Lane = "middle" | "near" | "water" | "sky";

/** Occupies a stretch: a thing in a lane, or the near part of the river. */
type Taker = Lane | "stream";

/** Finds positions along the width of a picture so that things do not cover each other. */
export interface Spots {
  /** Returns the least covered x for a thing of this half width, nearest to the wanted one. */
  take(lane: Lane, wantedX: number, halfWidth: number): number;
  /** Marks a stretch as occupied. */
  occupy(taker: Taker, x: number, halfWidth: number): void;
}

interface Taken {
  readonly taker: Taker;
  readonly from: number;
  readonly to: number;
}

// Penalty when a thing of one lane covers one of another.
const across: Readonly<Record<Lane, Readonly<Record<Taker, number>>>> = {
  middle: { middle: 1, near: 0.4, water: 0.35, sky: 0.15, stream: 0.15 },
  near: { near: 1, middle: 0.3, water: 0.22, sky: 0, stream: 1 },
  water: { water: 1, near: 0.5, middle: 0.3, sky: 0, stream: 0 },
  sky: { sky: 1, middle: 0.3, near: 0.1, water: 0, stream: 0 },
};

/** Free positions over a width; ties are broken randomly. */
export function createSpots(width: number, random: Random): Spots {
  const taken: Taken[] = [];
  const occupy = (taker: Taker, x: number, halfWidth: number): void => {
    taken.push({ taker, from: x - halfWidth, to: x + halfWidth });
  };
  return {
    occupy,
    take(lane, wantedX, halfWidth) {
      const margin = Math.min(halfWidth * 0.9, width * 0.42) + width * 0.015;
      let best = wantedX;
      let bestCost = Number.POSITIVE_INFINITY;
      for (let index = 0; index <= 40; index += 1) {
        const x = margin + ((width - 2 * margin) * index) / 40;
        let covered = 0;
        for (const other of taken) {
          const overlap = Math.min(x + halfWidth, other.to) - Math.max(x - halfWidth, other.from);
          if (overlap > 0)
            covered +=
              (overlap / Math.min(2 * halfWidth, other.to - other.from)) *
              across[lane][other.taker];
        }
        const cost =
          covered * 2.2 + (Math.abs(x - wantedX) / width) * 1.7 + random.between(0, 0.02);
        if (cost < bestCost) [best, bestCost] = [x, cost];
      }
      occupy(lane, best, halfWidth);
      return best;
    },
  };
}
