import type { Database } from "@atelier/database";

/** The operations of a storage that count as steps. */
interface SteppedStorage {
  put(...of: never[]): Promise<unknown>;
  get(...of: never[]): Promise<unknown>;
  copy(...of: never[]): Promise<unknown>;
  delete(...of: never[]): Promise<unknown>;
}

/** The database and the storage of an operation. */
interface Stores<Stored> {
  readonly database: Database;
  readonly storage: Stored;
}

/** Stores that are interrupted before a step. */
interface Interrupted<Stored> {
  readonly stores: Stores<Stored>;
  /** Whether the operation had the step. */
  isMet(): boolean;
}

/** Calls `atStep` before each statement, transaction and call of the storage, with its number from 0. */
function observe<Stored extends SteppedStorage>(
  { database, storage }: Stores<Stored>,
  atStep: (step: number) => Promise<void>,
): Stores<Stored> {
  let steps = 0;
  const observed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await atStep(steps++);
    return work();
  };
  return {
    database: {
      ...database,
      query: (text, values) => observed(() => database.query(text, values)),
      transaction: (work) => observed(() => database.transaction(work)),
    },
    storage: {
      ...storage,
      put: (...of: never[]) => observed(() => storage.put(...of)),
      get: (...of: never[]) => observed(() => storage.get(...of)),
      copy: (...of: never[]) => observed(() => storage.copy(...of)),
      delete: (...of: never[]) => observed(() => storage.delete(...of)),
    },
  };
}

/** Kills an operation before a step: that one and all later ones fail with "killed". */
export function killAt<Stored extends SteppedStorage>(
  stores: Stores<Stored>,
  step: number,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Interrupted<Stored> {
  let isMet = false;
  const killed = observe(stores, async (at) => {
    if (at === step) await meanwhile();
    isMet ||= at === step;
    if (at >= step) throw new Error("killed");
  });
  return { stores: killed, isMet: () => isMet };
}

/** Lets another operation run before a step. */
export function pauseAt<Stored extends SteppedStorage>(
  stores: Stores<Stored>,
  step: number,
  meanwhile: () => Promise<unknown>,
): Interrupted<Stored> {
  let isMet = false;
  const paused = observe(stores, async (at) => {
    if (at !== step) return;
    isMet = true;
    await meanwhile();
  });
  return { stores: paused, isMet: () => isMet };
}

/** Waits for an operation that may be killed. */
export async function unlessKilled(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!String(error).includes("killed")) throw error;
  });
}
