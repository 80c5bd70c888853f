import { expect, it } from "vitest";
import { simulate, type Costs } from "./model.ts";
import { createMachine } from "./resources.ts";

const free: Costs = {
  client: 0,
  api: 0,
  accept: 0,
  unlocked: 0,
  finish: 0,
  redis: 0,
  marking: 0,
  encoding: 0,
  beside: { api: 0, postgres: 0, worker: 0 },
  staging: 0,
  upload: 0,
  flush: 0,
  commitDelay: 0,
  background: 0,
};

/** Simulates two workers with four places and two threads each. */
function run(costs: Partial<Costs>, { clients = 100, accounts = 100, providerMs = 0 }) {
  return simulate(
    (clock) => {
      const machine = createMachine(clock, "machine", 1_000);
      return {
        machines: {
          clients: machine,
          apis: [machine],
          postgres: machine,
          redis: machine,
          workers: [createMachine(clock, "one", 2), createMachine(clock, "other", 2)],
        },
        concurrency: 4,
        threads: 2,
      };
    },
    {
      arrival: { clients },
      accountOf: (client) => client % accounts,
      providerMs: () => providerMs,
      images: 2_000,
      random: () => 0.5,
    },
    { ...free, ...costs },
  );
}

it("is bound by the places of the workers while the provider works", () => {
  expect(run({}, { providerMs: 1_000 }).perSecond).toBeCloseTo(8, 1);
});

it("is bound by the threads of the workers while they mark", () => {
  expect(run({ marking: 100 }, {}).perSecond).toBeCloseTo(40, 0);
});

it("makes an account's images wait for its lock, and share commits", () => {
  const rateOf = (load: Parameters<typeof run>[1]) => run({ flush: 30 }, load).perSecond;
  const [one, alone, many] = [
    rateOf({ accounts: 1 }),
    rateOf({ accounts: 1, clients: 1 }),
    rateOf({ accounts: 100 }),
  ];
  expect(one).toBeLessThan(many);
  expect(one).toBeGreaterThan(alone * 2);
});

it("adds up the parts of an image of a single client", () => {
  const parts = { client: 1, api: 2, accept: 3, unlocked: 5, redis: 4, marking: 7, finish: 6 };
  const { medianMs } = run(
    { ...parts, staging: 8, upload: 9, flush: 10 },
    { clients: 1, accounts: 1 },
  );
  // Three commits: accept, intent, finish.
  expect(medianMs).toBeCloseTo(1 + 2 + 3 + 5 + 4 + 7 + 6 + 8 + 9 + 3 * 10, 5);
});
