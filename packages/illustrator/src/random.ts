import { mulberry32 } from "@atelier/kit";

/** A seeded random source: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A number in [low, high). */
  between(low: number, high: number): number;
  /** A whole number in [low, high], both included. */
  whole(low: number, high: number): number;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Returns an independent source for one purpose without consuming a number of this one. */
  fork(purpose: string): Random;
}

/** 32-bit hash of a text (FNV-1a over UTF-16 code units, with a final avalanche). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Creates a random source from a seed. */
export function createRandom(seed: number): Random {
  const start = hashText(String(seed));
  const next = mulberry32(start);
  const between = (low: number, high: number): number => low + next() * (high - low);
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    whole,
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!,
    chance: (probability) => next() < probability,
    fork: (purpose) => createRandom(hashText(`${start}/${purpose}`)),
  };
}
