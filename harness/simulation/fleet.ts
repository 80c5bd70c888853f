import { createRandom } from "../shared/random.ts";
import { simulate, type Costs, type Load, type Prediction } from "./model.ts";
import { createMachine } from "./resources.ts";

/** An installation of machines that do one thing each. */
export interface Fleet {
  /** Installations of this size, each for some of the accounts. */
  readonly cells: number;
  /** Machines with one worker each. */
  readonly workers: number;
  readonly concurrency: number;
  /** Processes with one core each. */
  readonly apis: number;
  readonly postgresCores: number;
  readonly accounts: number;
  /** Whether the share of an account is inversely proportional to its rank, instead of equal. */
  readonly isZipf: boolean;
  /** Mean of an exponential distribution. */
  readonly providerMs: number;
}

export const workerCores = 8;

/** No part is planned to be busier, so that bursts do not wait for long. */
export const maxBusy = 0.7;

const providerMs = 10_000;

/** Computes the smallest fleet in which no part is busier than `maxBusy` at this rate. */
export function sizeOf(perSecond: number, costs: Costs): Fleet {
  // Redis has one thread, and cannot be larger.
  const cells = Math.ceil((perSecond * costs.redis) / 1_000 / maxBusy);
  const rate = perSecond / cells;
  const coresFor = (cpuMs: number) => Math.ceil((rate * cpuMs) / 1_000 / maxBusy);
  const workers = Math.ceil(coresFor(costs.marking + costs.encoding) / workerCores);
  const heldMs = providerMs + costs.marking + costs.staging + costs.upload;
  return {
    cells,
    workers,
    concurrency: Math.max(4, Math.ceil((rate * heldMs) / 1_000 / maxBusy / workers)),
    // Two for availability.
    apis: Math.max(2, coresFor(costs.api)),
    postgresCores: Math.max(2, coresFor(costs.accept + costs.finish + costs.unlocked)),
    accounts: 1_000,
    isZipf: true,
    providerMs,
  };
}

export const withAccounts = (fleet: Fleet, accounts: number): Fleet => ({
  ...fleet,
  accounts,
  isZipf: true,
});

/**
 * Simulates one cell of a fleet.
 *
 * @param arrival images per second of all cells, or clients of one.
 */
export function predictFleet(fleet: Fleet, arrival: Load["arrival"], costs: Costs): Prediction {
  const generator = createRandom(1);
  const random = () => generator.next();
  const pickAccount = fleet.isZipf
    ? createZipf(fleet.accounts, random)
    : () => Math.floor(random() * fleet.accounts);
  const ownArrival =
    "perSecond" in arrival ? { perSecond: arrival.perSecond / fleet.cells } : arrival;
  const images =
    "perSecond" in ownArrival
      ? Math.min(100_000, Math.max(2_000, ownArrival.perSecond * 60))
      : Math.max(2_000, ownArrival.clients * 3);
  return simulate(
    (clock) => ({
      machines: {
        // Clients have machines of their own.
        clients: createMachine(clock, "clients", 1_000_000),
        apis: Array.from({ length: fleet.apis }, () => createMachine(clock, "API", 1)),
        postgres: createMachine(clock, "Postgres", fleet.postgresCores),
        redis: createMachine(clock, "Redis", 1),
        workers: Array.from({ length: fleet.workers }, () =>
          createMachine(clock, "worker", workerCores),
        ),
      },
      concurrency: fleet.concurrency,
      threads: workerCores,
    }),
    {
      arrival: ownArrival,
      accountOf: pickAccount,
      providerMs: () => -Math.log(1 - random()) * fleet.providerMs,
      images: Math.round(images),
      random,
    },
    costs,
  );
}

/** Picks ranks from 0 with a probability that is inversely proportional to the rank, counted from 1. */
function createZipf(count: number, random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= count; rank++) sums.push((sum += 1 / rank));
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
