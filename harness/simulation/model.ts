import { percentile } from "../shared/statistics.ts";
import { createClock, type Activity, type Clock, type Wait } from "./clock.ts";
import { createLog, createPlaces, createQueue } from "./resources.ts";
import type { Log, Machine, Places, Queue } from "./resources.ts";

/** CPU time of one image by step, and other times, in milliseconds. */
export interface Costs {
  /** The client, where it shares a machine with the service. */
  readonly client: number;
  /** The API's process, before the acceptance and after the wake-up. */
  readonly api: number;
  /** Postgres, with the lock of the account. */
  readonly accept: number;
  /** Postgres, for each of key, limits, claim, intent and the final state: without a lock that others want. */
  readonly unlocked: number;
  /** Postgres, with the lock of the account. */
  readonly finish: number;
  readonly redis: number;
  /** The thread of a worker that marks the image. */
  readonly marking: number;
  /** Threads of the worker that encode files at the same time. */
  readonly encoding: number;
  /** CPU time of each program beside the way of an image. The worker's place is taken meanwhile. */
  readonly beside: { readonly api: number; readonly postgres: number; readonly worker: number };
  /** Waiting for the storage before and after marking. */
  readonly staging: number;
  readonly upload: number;
  /** One write of the log of the database. */
  readonly flush: number;
  /** Time before each write, in which further commits join it. */
  readonly commitDelay: number;
  /** Each process, per second, whatever it makes. */
  readonly background: number;
}

/** Statements of an image that lock nothing others want: key, limits, claim, intent, and the final state. */
const unlockedStatements = 5;

/** As in `createAcceptor` and `createFinisher`. */
const maxGroup = 16;

export interface Installation {
  /** Cores by machine; programs of the same machine share them. */
  readonly machines: {
    readonly clients: Machine;
    readonly apis: readonly Machine[];
    readonly postgres: Machine;
    readonly redis: Machine;
    /** The machine of each worker. */
    readonly workers: readonly Machine[];
  };
  /** Images in progress in each worker. */
  readonly concurrency: number;
  /** Threads of each worker that mark images. */
  readonly threads: number;
}

export interface Load {
  /** Either clients that wait for each image, or images per second that arrive independently. */
  readonly arrival: { readonly clients: number } | { readonly perSecond: number };
  /** Picks the account of a client, or of an arrival. */
  readonly accountOf: (index: number) => number;
  readonly providerMs: () => number;
  /** Images that are simulated, of which the first tenth is not measured. */
  readonly images: number;
  /** Uniform between 0 and 1. */
  readonly random: () => number;
}

export interface Prediction {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The median time of an image without the provider's. */
  readonly beyondProviderMs: number;
  /** Share of the time that each resource is busy, the busiest first. */
  readonly busy: readonly { readonly name: string; readonly share: number }[];
}

/** Work of one account that runs in groups: one at a time in each process, as `createAccountLines` does. */
interface Line {
  isRunning: boolean;
  readonly waiting: Queue<() => void>;
}

/**
 * Simulates the service: discrete events with measured times. It has what an image waits for: processors
 * that are shared, one event loop for each API, groups of an account and its lock, the log of the database,
 * Redis with its one thread, places of workers, threads that mark, and the provider. It does not have
 * failures, limits, and contention inside of Postgres other than locks of accounts.
 */
export function simulate(
  build: (clock: Clock) => Installation,
  load: Load,
  costs: Costs,
): Prediction {
  const clock = createClock();
  const { machines, concurrency, threads } = build(clock);
  const log: Log = createLog(clock, costs.commitDelay, costs.flush);
  const redis = createPlaces(1);
  const locks = new Map<number, Places>();
  /** Time that the lock of each account was held. */
  const locked = new Map<number, number>();
  const eventLoops = machines.apis.map(() => createPlaces(1));
  const workers = machines.workers.map((machine) => ({ machine, threads: createPlaces(threads) }));
  const apiLines = machines.apis.map(() => new Map<number, Line>());
  const workerLines = machines.workers.map(() => new Map<number, Line>());

  /** Free places of each worker. Those with one wait for an image in the order in which they got their last. */
  const free = workers.map(() => concurrency);
  const waitingWorkers = createQueue<number>();
  for (const worker of workers.keys()) waitingWorkers.add(worker);
  const waitingForWorker = createQueue<(worker: number) => void>();

  const all = [
    ...new Set([
      machines.clients,
      ...machines.apis,
      machines.postgres,
      machines.redis,
      ...machines.workers,
    ]),
  ];
  /** Milliseconds that each part was busy, or each of its cores on average. */
  const readUsed = () => [
    ...all.map((machine) => ({ name: machine.name, ms: machine.usedMs() / machine.cores })),
    { name: "log of the database", ms: log.busyMs() },
    { name: "lock of the busiest account", ms: Math.max(0, ...locked.values()) },
  ];
  let usedBefore = readUsed();

  const latencies: number[] = [];
  const beyondProvider: number[] = [];
  const warmUp = Math.floor(load.images / 10);
  let done = 0;
  let measuredFrom = 0;

  /** The place of an image is free once its worker has cleaned up. */
  function* cleanUp(place: number): Activity {
    yield (workers[place] as (typeof workers)[number]).machine.compute(costs.beside.worker);
    leavePlace(place);
  }

  function* spend(machine: Machine, cpuMs: number): Activity {
    yield machine.compute(cpuMs);
  }

  /** Uses a resource that serves one at a time. */
  function* hold(place: Places, machine: Machine, cpuMs: number): Generator<Wait, void> {
    yield place.enter();
    yield machine.compute(cpuMs);
    place.leave();
  }

  /** Commits work of an account, in one transaction with other work of the account that waits. */
  const commitTogether =
    (lines: Map<number, Line>, account: number, cpuMs: number): Wait =>
    (resume) => {
      const line = lines.get(account) ?? { isRunning: false, waiting: createQueue() };
      lines.set(account, line);
      line.waiting.add(resume);
      if (!line.isRunning) clock.start(runGroups(line, account, cpuMs));
    };

  function* runGroups(line: Line, account: number, cpuMs: number): Activity {
    line.isRunning = true;
    const lock = locks.get(account) ?? createPlaces(1);
    locks.set(account, lock);
    while (line.waiting.size() > 0) {
      const group: (() => void)[] = [];
      while (group.length < maxGroup && line.waiting.size() > 0) {
        group.push(line.waiting.take() as () => void);
      }
      yield lock.enter();
      const lockedAt = clock.now();
      yield machines.postgres.compute(cpuMs * group.length);
      yield log.flush();
      locked.set(account, (locked.get(account) ?? 0) + clock.now() - lockedAt);
      lock.leave();
      for (const resume of group) resume();
    }
    line.isRunning = false;
  }

  const takePlace =
    (placed: (worker: number) => void): Wait =>
    (resume) => {
      const begin = (worker: number) => {
        placed(worker);
        resume();
      };
      const worker = waitingWorkers.take();
      if (worker === undefined) {
        waitingForWorker.add(begin);
        return;
      }
      const left = (free[worker] ?? 0) - 1;
      free[worker] = left;
      if (left > 0) waitingWorkers.add(worker);
      begin(worker);
    };

  const leavePlace = (worker: number) => {
    const next = waitingForWorker.take();
    if (next !== undefined) {
      next(worker);
      return;
    }
    const places = (free[worker] ?? 0) + 1;
    free[worker] = places;
    if (places === 1) waitingWorkers.add(worker);
  };

  /**
   * Marks an image: a thread of the worker, and encoders that work at the same time. Both
   * take half to one and a half of their mean, a deviation like that of `cpuMs` in the logs of workers (29 %).
   */
  const mark =
    (machine: Machine): Wait =>
    (resume) => {
      let parts = 2;
      const end = () => {
        parts -= 1;
        if (parts === 0) resume();
      };
      const part = 0.5 + load.random();
      machine.compute(part * costs.marking)(end);
      machine.compute(part * costs.encoding)(end);
    };

  function* makeImage(index: number, account: number): Activity {
    const api = index % eventLoops.length;
    const apiMachine = machines.apis[api] as Machine;
    const eventLoop = eventLoops[api] as Places;
    const queryPostgres = () => machines.postgres.compute(costs.unlocked / unlockedStatements);
    const startedAt = clock.now();
    yield machines.clients.compute(costs.client);
    yield* hold(eventLoop, apiMachine, costs.api / 2);
    yield queryPostgres();
    yield queryPostgres();
    yield commitTogether(apiLines[api] as Map<number, Line>, account, costs.accept);
    yield* hold(redis, machines.redis, costs.redis / 2);

    let place = -1;
    yield takePlace((worker) => (place = worker));
    const worker = workers[place] as (typeof workers)[number];
    yield* hold(redis, machines.redis, costs.redis / 2);
    yield queryPostgres();
    yield queryPostgres();
    yield log.flush();
    const providerMs = load.providerMs();
    yield clock.pause(providerMs + costs.staging);
    yield worker.threads.enter();
    yield mark(worker.machine);
    worker.threads.leave();
    yield clock.pause(costs.upload);
    yield commitTogether(workerLines[place] as Map<number, Line>, account, costs.finish);
    clock.start(cleanUp(place));
    clock.start(spend(machines.postgres, costs.beside.postgres));
    clock.start(spend(apiMachine, costs.beside.api));

    yield queryPostgres();
    yield* hold(eventLoop, apiMachine, costs.api / 2);
    done += 1;
    if (done === warmUp) {
      measuredFrom = clock.now();
      usedBefore = readUsed();
    }
    if (done <= warmUp) return;
    latencies.push(clock.now() - startedAt);
    beyondProvider.push(clock.now() - startedAt - providerMs);
  }

  function* workInBackground(machine: Machine): Activity {
    for (;;) {
      yield clock.pause(100);
      yield machine.compute(costs.background / 10);
    }
  }

  let started = 0;
  function startNext(client: number): void {
    if (started === load.images) return;
    started += 1;
    clock.start(makeImage(started, load.accountOf(client)), () => startNext(client));
  }
  function* arrive(perSecond: number): Activity {
    for (; started < load.images; started++) {
      yield clock.pause((-Math.log(1 - load.random()) / perSecond) * 1_000);
      clock.start(makeImage(started, load.accountOf(started)));
    }
  }

  for (const machine of [...machines.apis, ...machines.workers]) {
    clock.start(workInBackground(machine));
  }
  if ("clients" in load.arrival) {
    for (let client = 0; client < load.arrival.clients; client++) startNext(client);
  } else clock.start(arrive(load.arrival.perSecond));
  // The last images find a machine that is not busy any more.
  const enough = Math.floor(load.images * 0.9);
  clock.run(() => done >= enough);

  const measuredMs = clock.now() - measuredFrom;
  const busy = readUsed()
    .map(({ name, ms }, index) => ({
      name,
      share: (ms - (usedBefore[index]?.ms ?? 0)) / measuredMs,
    }))
    .toSorted((a, b) => b.share - a.share);
  return {
    perSecond: (latencies.length / measuredMs) * 1_000,
    medianMs: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    beyondProviderMs: percentile(beyondProvider, 0.5),
    busy,
  };
}
