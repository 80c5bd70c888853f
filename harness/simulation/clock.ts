/** An activity: it yields what it waits for. */
export type Activity = Generator<Wait, void>;

/** Starts something that ends later, and calls `resume` once it has. */
export type Wait = (resume: () => void) => void;

/** Simulated time in milliseconds. Events of the same time happen in the order in which they were planned. */
export interface Clock {
  now(): number;
  /** Calls `happen` after this time. */
  after(ms: number, happen: () => void): void;
  /** Starts an activity now. */
  start(activity: Activity, ended?: () => void): void;
  /** Waits. */
  pause(ms: number): Wait;
  /** Lets events happen until none is left or `isOver` holds. */
  run(isOver: () => boolean): void;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: () => void;
}

export function createClock(): Clock {
  const events = createHeap<Event>((a, b) => a.at - b.at || a.order - b.order);
  let now = 0;
  let planned = 0;

  const after = (ms: number, happen: () => void) => {
    events.add({ at: now + ms, order: planned++, happen });
  };

  return {
    now: () => now,
    after,
    pause: (ms) => (resume) => after(ms, resume),
    start(activity, ended) {
      const resume = () => {
        const { value: wait, done } = activity.next();
        if (done === true) ended?.();
        else wait(resume);
      };
      resume();
    },
    run(isOver) {
      while (!isOver()) {
        const event = events.take();
        if (event === undefined) return;
        now = event.at;
        event.happen();
      }
    },
  };
}

/** A collection whose smallest item is taken first. */
export interface Heap<Item> {
  add(item: Item): void;
  first(): Item | undefined;
  take(): Item | undefined;
  size(): number;
}

/** Creates a binary heap. */
export function createHeap<Item>(compare: (a: Item, b: Item) => number): Heap<Item> {
  const items: Item[] = [];
  const isBefore = (a: number, b: number) => compare(items[a] as Item, items[b] as Item) < 0;
  const swap = (a: number, b: number) => {
    const item = items[a] as Item;
    items[a] = items[b] as Item;
    items[b] = item;
  };
  return {
    size: () => items.length,
    first: () => items[0],
    add(item) {
      let index = items.push(item) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isBefore(index, parent)) break;
        swap(index, parent);
        index = parent;
      }
    },
    take() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      items[0] = last;
      let index = 0;
      for (;;) {
        const left = 2 * index + 1;
        if (left >= items.length) return first;
        const child = left + 1 < items.length && isBefore(left + 1, left) ? left + 1 : left;
        if (!isBefore(child, index)) return first;
        swap(child, index);
        index = child;
      }
    },
  };
}
