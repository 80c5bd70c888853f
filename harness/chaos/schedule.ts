import type { NetworkFault } from "@atelier/local-services";
import { renderSteps, type RenderStep } from "../../apps/worker/src/render/failpoint.ts";
import { ownServerCount } from "./own-servers.ts";
import { createRandom, type Random } from "../shared/random.ts";

/** A fault with its duration. */
export type Fault =
  | { readonly kind: "worker killed"; readonly worker: number }
  | { readonly kind: "worker killed at a step"; readonly worker: number; readonly step: RenderStep }
  | {
      readonly kind: "worker frozen past its lock";
      readonly worker: number;
      readonly forMs: number;
    }
  /** A worker is killed while a transaction finishes several of its renders. */
  | { readonly kind: "worker killed in a grouped commit"; readonly isCommitted: boolean }
  | { readonly kind: "API killed" }
  | { readonly kind: "queue emptied" }
  | { readonly kind: "queue's server restarted empty" }
  | { readonly kind: "Postgres restarted at once" }
  /** The budgets of all keys begin a new period. */
  | { readonly kind: "midnight" }
  /** An account is erased while it uploads. */
  | { readonly kind: "account erased" }
  /** The database is lost, and restored from a backup that was made until then. */
  | { readonly kind: "database lost and restored" }
  | { readonly kind: "provider misbehaves"; readonly forMs: number }
  /** One of the operator's servers is killed, with everything that it has accepted. */
  | { readonly kind: "own server killed"; readonly server: number; readonly forMs: number }
  | {
      readonly kind: `${Service} ${NetworkFault}`;
      readonly service: Service;
      readonly networkFault: NetworkFault;
      readonly forMs: number;
    };

export type Service = "Postgres" | "queue" | "storage" | "provider";

interface ScheduledFault {
  readonly atMs: number;
  readonly fault: Fault;
}

const networkFaults: readonly NetworkFault[] = [
  "cut",
  "hangs",
  "slow",
  "responses lost",
  "refused",
];

/** The first fault occurs when the service is under load. */
const firstAtMs = 3_000;

/**
 * Schedules the faults, deterministically for a seed. Each kind occurs once before any repeats, so
 * that a short run covers all kinds.
 *
 * @param services the services that faults can affect; a queue in Postgres and file storage have
 *   no service of their own.
 */
export function scheduleFaults(options: {
  readonly seed: number;
  readonly forMs: number;
  readonly workers: number;
  readonly services: readonly Service[];
  /** Whether the database is lost and restored as well. */
  readonly withRestores: boolean;
  /** Only faults of this kind; null for all. */
  readonly only: string | null;
}): readonly ScheduledFault[] {
  const random = createRandom(options.seed);
  const scheduled: ScheduledFault[] = [];
  let kinds: (() => Fault)[] = [];
  for (let atMs = firstAtMs; atMs < options.forMs; atMs += random.between(1_500, 5_000)) {
    if (kinds.length === 0) kinds = shuffle(chosenKinds(random, options), random);
    const make = kinds.pop();
    if (make !== undefined) scheduled.push({ atMs, fault: make() });
  }
  return scheduled;
}

function chosenKinds(
  random: Random,
  options: Parameters<typeof allKinds>[1] & { readonly only: string | null },
): (() => Fault)[] {
  const kinds = allKinds(random, options);
  if (options.only === null) return kinds;
  const chosen = kinds.filter((make) => make().kind === options.only);
  if (chosen.length === 0) throw new Error(`there is no fault "${options.only}" in this run`);
  return chosen;
}

function allKinds(
  random: Random,
  options: {
    readonly workers: number;
    readonly services: readonly Service[];
    readonly withRestores: boolean;
  },
): (() => Fault)[] {
  const { workers, services, withRestores } = options;
  const worker = () => random.between(0, workers - 1);
  return [
    () => ({ kind: "worker killed", worker: worker() }),
    // These find the most bugs, so each occurs once per round. No request of the load has two steps after it.
    ...renderSteps
      .filter((step) => step !== "between-steps")
      .map((step) => () => ({ kind: "worker killed at a step", worker: worker(), step }) as const),
    () => ({
      kind: "worker frozen past its lock",
      worker: worker(),
      forMs: random.between(3_000, 6_000),
    }),
    () => ({ kind: "worker killed in a grouped commit", isCommitted: true }),
    () => ({ kind: "worker killed in a grouped commit", isCommitted: false }),
    () => ({ kind: "API killed" }),
    () => ({ kind: "queue emptied" }),
    ...(services.includes("queue")
      ? [() => ({ kind: "queue's server restarted empty" }) as const]
      : []),
    () => ({ kind: "Postgres restarted at once" }),
    () => ({ kind: "midnight" }),
    () => ({ kind: "account erased" }),
    ...(withRestores ? [() => ({ kind: "database lost and restored" }) as const] : []),
    () => ({ kind: "provider misbehaves", forMs: random.between(2_000, 5_000) }),
    () => ({
      kind: "own server killed",
      server: random.between(0, ownServerCount - 1),
      forMs: random.between(1_000, 8_000),
    }),
    ...services.flatMap((service) =>
      networkFaults.map((trouble) => (): Fault => ({
        kind: `${service} ${trouble}`,
        service,
        networkFault: trouble,
        forMs: random.between(300, 3_000),
      })),
    ),
  ];
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
