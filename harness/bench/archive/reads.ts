import { newId, type Database } from "@atelier/database";
import { findGeneration, listGenerations, searchGenerations } from "@atelier/generations";
import { percentile } from "../../shared/statistics.ts";

const repetitions = 100;

/** A database with jobs. */
export interface Filled {
  readonly url: string;
  readonly database: Database;
  readonly accounts: readonly string[];
  /** Jobs of the newer half. */
  readonly sample: readonly { readonly id: string; readonly accountId: string }[];
}

/** The p95 of a read with few and with many jobs, in milliseconds. */
export interface Compared {
  readonly name: string;
  readonly smallMs: number;
  readonly largeMs: number;
  readonly ratio: number;
}

type Read = (filled: Filled, round: number) => Promise<unknown>;

/** A job of the sample. */
export function sampled({ sample }: Filled, round: number) {
  const found = sample[round % sample.length];
  if (found === undefined) throw new Error("no sample");
  return found;
}

const page = { limit: 20, beforeId: null };
const accountIn = ({ accounts }: Filled, round: number) => accounts[round % accounts.length] ?? "";

const readsToCompare: Readonly<Record<string, Read>> = {
  "a job by id": async (on, round) => {
    const { id, accountId } = sampled(on, round);
    if ((await findGeneration(on.database, { generationId: id, accountId })) === null)
      throw new Error(`no job ${id}`);
  },
  "an unknown job": (on, round) =>
    findGeneration(on.database, { generationId: newId(), accountId: accountIn(on, round) }),
  "newest jobs": (on, round) =>
    listGenerations(on.database, { ...page, accountId: accountIn(on, round) }),
  "a later page": (on, round) => {
    const { id, accountId } = sampled(on, round);
    return listGenerations(on.database, { ...page, accountId, beforeId: id });
  },
  "search for a frequent word": (on, round) =>
    searchGenerations(on.database, { ...page, accountId: accountIn(on, round), q: "lighthouse" }),
  "search for a rare word": (on, round) =>
    searchGenerations(on.database, { ...page, accountId: accountIn(on, round), q: String(round) }),
};

/** Measures each read of both databases in the same rounds. */
export async function compareReads(small: Filled, large: Filled): Promise<Compared[]> {
  const results: Compared[] = [];
  for (const [name, read] of Object.entries(readsToCompare)) {
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let round = -20; round < repetitions; round++) {
      for (const [size, filled] of [
        ["small", small],
        ["large", large],
      ] as const) {
        const startedAt = performance.now();
        await read(filled, Math.abs(round));
        if (round >= 0) times[size].push(performance.now() - startedAt);
      }
    }
    const smallMs = percentile(times.small, 0.95);
    const largeMs = percentile(times.large, 0.95);
    results.push({ name, smallMs, largeMs, ratio: largeMs / smallMs });
  }
  return results;
}
