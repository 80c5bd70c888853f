import type { BenchServices } from "./services.ts";
import type { BenchOptions } from "./results.ts";

/** What every part of the benchmark is given. */
export interface BenchContext extends BenchOptions {
  readonly services: BenchServices;
  /** A file that the bound and the providers read: 1024 × 1024. */
  readonly photo: string;
  /** One so small that marking it costs little. */
  readonly smallPhoto: string;
  readonly progress: (line: string) => void;
}

/**
 * Runs `work` for each round in turn. Everything that is compared belongs in the same round: the
 * machine is noisy, and what disturbs one measurement should disturb its neighbour.
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

/** Runs both in turn, the other one first in every second round: neither gains by its place. */
export async function alternate(
  round: number,
  one: () => Promise<void>,
  other: () => Promise<void>,
): Promise<void> {
  for (const work of round % 2 === 1 ? [one, other] : [other, one]) await work();
}
