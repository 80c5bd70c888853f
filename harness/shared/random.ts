import { mulberry32 } from "@atelier/kit";

/** A seeded pseudorandom generator (mulberry32). */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [low, high], both included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { next, between, pick: (items) => items[between(0, items.length - 1)] ?? items[0] };
}
