import { createRandom } from "../shared/random.ts";
import type { Configuration } from "./configuration.ts";
import type { Measurement } from "./measure.ts";
import { createMachine } from "./resources.ts";
import { simulate, type Costs, type Prediction } from "./model.ts";

/** The runs from which the times of the simulation are taken. */
export type FittedMeasurements = Readonly<
  Record<"alone" | "small" | "large" | "oneThread", Measurement>
>;

/** Costs of images of both sizes. */
export type FittedCosts = Readonly<Record<Configuration["edge"], Costs>>;

/** Simulates a configuration with all programs on one machine, as it was measured. */
export function predict(
  {
    edge,
    providerMs,
    clients,
    accounts,
    workers,
    concurrency,
    threads,
    commitDelayMs,
  }: Configuration,
  costs: FittedCosts,
  cores: number,
): Prediction {
  const own = costs[edge];
  const random = createRandom(1);
  return simulate(
    (clock) => {
      const machine = createMachine(clock, "machine", cores);
      return {
        machines: {
          clients: machine,
          apis: [machine],
          postgres: machine,
          redis: machine,
          workers: Array.from({ length: workers }, () => machine),
        },
        concurrency,
        threads,
      };
    },
    {
      arrival: { clients },
      accountOf: (client) => client % accounts,
      providerMs: () => providerMs,
      images: 4_000,
      random: () => random.next(),
    },
    { ...own, commitDelay: commitDelayMs },
  );
}

/**
 * Takes the times of the simulation from four measurements: CPU times and the storage's as they are; the
 * share of a worker's time that encoders take beside the thread that marks from the run with one thread; and
 * the share of all times that does not delay an image from the run with one client.
 *
 * @param flushMs duration of a commit of one row.
 */
export function fit(
  measured: FittedMeasurements,
  configurations: Readonly<Record<keyof FittedMeasurements, Configuration>>,
  { flushMs, cores }: { readonly flushMs: number; readonly cores: number },
): FittedCosts {
  /** Per image at a lower rate, an API shows more of what it does each second. */
  const background = Math.max(
    0,
    (measured.large.cpu.api - measured.small.cpu.api) * measured.large.perSecond,
  );
  const costsOf = ({ cpu, statements }: Measurement, { encoding, beside }: Shares): Costs => {
    const sum = statements.accept + statements.finish + statements.others;
    const onWay = 1 - beside;
    const query = (ms: number) => (ms / sum) * cpu.postgres * onWay;
    return {
      client: cpu.clients * onWay,
      api: measured.small.cpu.api * onWay,
      accept: query(statements.accept),
      unlocked: query(statements.others),
      finish: query(statements.finish),
      redis: cpu.redis,
      marking: cpu.workers * onWay * (1 - encoding),
      encoding: cpu.workers * onWay * encoding,
      beside: {
        api: (measured.small.cpu.api + cpu.clients) * beside,
        postgres: cpu.postgres * beside,
        worker: cpu.workers * beside,
      },
      // On a busy machine, these would contain waiting for its processors.
      staging: measured.alone.stagingMs,
      upload: measured.alone.uploadMs,
      flush: flushMs,
      commitDelay: 0,
      background,
    };
  };
  const build = (small: Shares, large: Shares): FittedCosts => ({
    64: costsOf(measured.small, small),
    1_024: costsOf(measured.large, large),
  });
  const none: Shares = { encoding: 0, beside: 0 };
  const encoding = bisect((share) => {
    const costs = build(none, { encoding: share, beside: 0 });
    return predict(configurations.oneThread, costs, cores).perSecond < measured.oneThread.perSecond;
  });
  const beside = bisect((share) => {
    const costs = build({ encoding, beside: share }, none);
    return predict(configurations.alone, costs, cores).perSecond < measured.alone.perSecond;
  });
  // What is done beside does not depend on the size of the image.
  const ofLarge = (beside * measured.small.cpu.workers) / measured.large.cpu.workers;
  return build({ encoding, beside }, { encoding, beside: ofLarge });
}

/** Shares of CPU times that do not delay an image on a machine that is not busy. */
interface Shares {
  /** Of a worker's time: encoders beside the thread that marks. */
  readonly encoding: number;
  /** Of all programs' times: what they do beside the way of an image. */
  readonly beside: number;
}

/** Finds the largest share for which a condition holds that holds for smaller ones. */
function bisect(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
