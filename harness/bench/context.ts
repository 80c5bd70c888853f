import type { BenchServices } from "../shared/start-services.ts";
import type { BenchOptions } from "./results.ts";

/** Input of every part of the benchmark. */
export interface BenchContext extends BenchOptions {
  readonly services: BenchServices;
  /** A file of 1024 × 1024 for the bound and the providers. */
  readonly photo: string;
  /** A small image, so that marking it costs little. */
  readonly smallPhoto: string;
  readonly progress: (line: string) => void;
}

/**
 * Runs `work` for each round in turn. Measurements that are compared belong in the same round, so
 * that noise on the machine affects all of them.
 */
export async function inRounds(
  { rounds, progress }: Pick<BenchContext, "rounds" | "progress">,
  name: string,
  work: (round: number) => Promise<void>,
): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    await work(round);
    progress(`${name}: round ${round} of ${rounds}`);
  }
}

/**
 * Runs both in turn, swapping the order in every second round, so that neither benefits from its
 * position.
 */
export async function alternate(
  round: number,
  one: () => Promise<void>,
  other: () => Promise<void>,
): Promise<void> {
  for (const work of round % 2 === 1 ? [one, other] : [other, one]) await work();
}
