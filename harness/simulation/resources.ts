import { createHeap, type Clock, type Wait } from "./clock.ts";

/** The processors of a machine, which its programs share evenly. */
export interface Machine {
  readonly name: string;
  readonly cores: number;
  /** Takes this much CPU time, of at most one core. */
  compute(cpuMs: number): Wait;
  /** CPU time that was used, in milliseconds. */
  usedMs(): number;
}

/**
 * Creates a machine. With more activities than cores, each advances at the same fraction of a core
 * (processor sharing), as threads of the same priority do under Linux.
 */
export function createMachine(clock: Clock, name: string, cores: number): Machine {
  /** The CPU time that an activity has received which has been here since the start. */
  let received = 0;
  let updatedAt = 0;
  let used = 0;
  /** Invalidates planned ends when the share of each activity changes. */
  let version = 0;
  const running = createHeap<{ readonly until: number; readonly resume: () => void }>(
    (a, b) => a.until - b.until,
  );
  const share = () => Math.min(1, cores / running.size());

  function advance(): void {
    const elapsed = clock.now() - updatedAt;
    updatedAt = clock.now();
    if (running.size() === 0) return;
    received += elapsed * share();
    used += elapsed * share() * running.size();
  }

  function planNextEnd(): void {
    const next = running.first();
    if (next === undefined) return;
    const planned = ++version;
    clock.after(Math.max(0, next.until - received) / share(), () => {
      if (planned !== version) return;
      advance();
      const ended = running.take();
      planNextEnd();
      ended?.resume();
    });
  }

  return {
    name,
    cores,
    compute: (cpuMs) => (resume) => {
      advance();
      running.add({ until: received + cpuMs, resume });
      planNextEnd();
    },
    usedMs() {
      advance();
      return used;
    },
  };
}

/** Places that are given in the order of the requests, such as a lock or a thread. */
export interface Places {
  enter(): Wait;
  leave(): void;
  /** Activities that wait for a place. */
  waiting(): number;
}

export function createPlaces(count: number): Places {
  let free = count;
  const queue = createQueue<() => void>();
  return {
    enter: () => (resume) => {
      if (free > 0) {
        free -= 1;
        resume();
      } else queue.add(resume);
    },
    leave() {
      const next = queue.take();
      if (next === undefined) free += 1;
      else next();
    },
    waiting: () => queue.size(),
  };
}

/** A queue whose first item is taken in constant time. */
export interface Queue<Item> {
  add(item: Item): void;
  take(): Item | undefined;
  size(): number;
}

export function createQueue<Item>(): Queue<Item> {
  let items: Item[] = [];
  let taken = 0;
  return {
    add: (item) => void items.push(item),
    take() {
      if (taken === items.length) return undefined;
      const item = items[taken++];
      if (taken > 1_000 && taken * 2 > items.length) {
        items = items.slice(taken);
        taken = 0;
      }
      return item;
    },
    size: () => items.length - taken,
  };
}

/** The log of the database: commits that wait while it is written share the next write. */
export interface Log {
  /** Waits until everything that was written before is durable. */
  flush(): Wait;
  /** The time in which it was written. */
  busyMs(): number;
}

/**
 * @param delayMs time before each write, in which further commits join it (`commit_delay`).
 * @param flushMs duration of one write, with its confirmation by the disk or a replica.
 */
export function createLog(clock: Clock, delayMs: number, flushMs: number): Log {
  let waiting: (() => void)[] = [];
  let isBusy = false;
  let busy = 0;

  function begin(): void {
    isBusy = waiting.length > 0;
    if (!isBusy) return;
    busy += delayMs + flushMs;
    clock.after(delayMs, () => {
      const group = waiting;
      waiting = [];
      clock.after(flushMs, () => {
        begin();
        for (const resume of group) resume();
      });
    });
  }

  return {
    flush: () => (resume) => {
      waiting.push(resume);
      if (!isBusy) begin();
    },
    busyMs: () => busy,
  };
}
