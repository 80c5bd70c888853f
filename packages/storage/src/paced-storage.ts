import { unlessAborted } from "@atelier/kit";
import { createAdaptiveLimit, type Pace } from "./adaptive-limit.ts";
import { createCircuit } from "./circuit.ts";
import type { ListedObject, Storage } from "./storage.ts";
import { StorageError } from "./storage-error.ts";

/** An operation whose concurrency is limited. */
type ObjectOperation = "put" | "get" | "copy" | "delete";

export interface PaceOptions {
  /**
   * Timeout of reading, writing or deleting objects, in milliseconds, without the wait for a slot. Default
   * 60,000. An operation that exceeds it fails, counts as a failure of the store and reduces the
   * concurrency.
   */
  readonly timeoutMs?: number;
  /**
   * Maximum duration of an operation that counts as fast, in milliseconds: the concurrency grows. Default
   * 6,000. After three times as long, it shrinks.
   */
  readonly fastMs?: number;
  /**
   * Initial cool-down after five consecutive failures, in milliseconds, during which all operations fail
   * at once. Default 1,000; doubled after each failed trial, up to 15,000.
   */
  readonly coolDownMs?: number;
  /**
   * Called when an operation on objects ends, with its duration including the wait for a slot. Default:
   * none. Not called for errors of the caller.
   */
  readonly onEnd?: (operation: ObjectOperation, isOk: boolean, durationMs: number) => void;
  /** Initial concurrency, until the first results adapt it. Default 8. */
  readonly initial?: number;
  /** Maximum concurrency; more operations wait in this process. Default 128. */
  readonly max?: number;
}

/** A storage with adaptive concurrency, timeouts and a circuit breaker. */
export interface PacedStorage extends Storage {
  /**
   * Waits until the circuit is closed; it probes the storage itself. Call it before work that needs
   * the storage.
   *
   * @throws the signal's reason when it aborts first.
   */
  untilUsable(signal: AbortSignal): Promise<void>;
  state(): StorageState;
}

/** State of a storage, for probes and metrics. */
interface StorageState {
  /** Whether the circuit is open: the storage is not called. */
  readonly isOpen: boolean;
  /** Concurrency limit. */
  readonly limit: number;
  /** Operations in progress. */
  readonly running: number;
  /** Operations that wait for a slot. */
  readonly waiting: number;
}

/**
 * Protects a storage from overload and its callers from an unavailable storage, with an adaptive
 * concurrency limit, a timeout for each operation, and a circuit breaker that opens after five
 * consecutive failures, for 1 s at first and up to 15 s.
 *
 * With a slow store, fewer concurrent operations complete in time. Without the limit, operations
 * would time out, be retried, and never complete.
 */
export function paceStorage(storage: Storage, options: PaceOptions = {}): PacedStorage {
  const { timeoutMs = 60_000, fastMs = 6_000, coolDownMs = 1_000 } = options;
  const { initial = 8, max = 128, onEnd = () => undefined } = options;
  const limit = createAdaptiveLimit({ initial, max });
  const circuit = createCircuit({
    failures: 5,
    coolDownMs,
    maxCoolDownMs: 15_000,
    now: () => performance.now(),
  });

  async function run<Result>(
    name: ObjectOperation,
    operation: () => Promise<Result>,
  ): Promise<Result> {
    const requestedAt = performance.now();
    try {
      const result = await runPaced(operation);
      onEnd(name, true, performance.now() - requestedAt);
      return result;
    } catch (error) {
      if (error instanceof StorageError) onEnd(name, false, performance.now() - requestedAt);
      throw error;
    }
  }

  async function runPaced<Result>(operation: () => Promise<Result>): Promise<Result> {
    assertUsable();
    const leave = await limit.enter();
    const startedAt = performance.now();
    let pace: Pace = "fine";
    try {
      assertUsable();
      const result = await withinTime(operation, timeoutMs);
      circuit.succeeded();
      pace = paceOf(performance.now() - startedAt);
      return result;
    } catch (error) {
      if (error instanceof StorageError && !(error instanceof StorageUnavailableError)) {
        circuit.failed();
        pace = "failed";
      }
      throw error;
    } finally {
      leave(pace);
    }
  }

  function paceOf(tookMs: number): Pace {
    if (tookMs < fastMs) return "fast";
    return tookMs < 3 * fastMs ? "fine" : "slow";
  }

  function assertUsable(): void {
    const openForMs = circuit.openForMs();
    if (openForMs > 0) throw new StorageUnavailableError(openForMs);
  }

  async function* list(prefix: string): AsyncGenerator<ListedObject> {
    assertUsable();
    const objects = storage.list(prefix)[Symbol.asyncIterator]();
    try {
      for (;;) {
        // Only the first object of a page waits for the store.
        const next = await withinTime(() => objects.next(), timeoutMs);
        if (next.done === true) break;
        yield next.value;
      }
      circuit.succeeded();
    } catch (error) {
      if (error instanceof StorageError) circuit.failed();
      throw error;
    } finally {
      await objects.return?.();
    }
  }

  return {
    ...storage,
    put: (key, bytes, putOptions) => run("put", () => storage.put(key, bytes, putOptions)),
    get: (key) => run("get", () => storage.get(key)),
    copy: (from, to) => run("copy", () => storage.copy(from, to)),
    delete: (keys) => run("delete", () => storage.delete(keys)),
    list,
    async untilUsable(signal) {
      for (;;) {
        signal.throwIfAborted();
        const openForMs = circuit.openForMs();
        if (openForMs > 0) {
          await unlessAborted(sleep(openForMs), signal);
          // One waiting caller probes the store; the others use its result.
          if (circuit.openForMs() === 0) await probe();
          continue;
        }
        return;
      }
    },
    state: () => ({
      isOpen: circuit.openForMs() > 0,
      limit: limit.limit,
      running: limit.running,
      waiting: limit.waiting,
    }),
  };

  async function probe(): Promise<void> {
    try {
      await withinTime(() => storage.check(), timeoutMs);
      circuit.succeeded();
    } catch {
      circuit.failed();
    }
  }
}

/** The circuit is open, so the storage was not called. */
class StorageUnavailableError extends StorageError {
  constructor(openForMs: number) {
    super(`the storage failed repeatedly and is not asked for ${Math.ceil(openForMs / 1_000)} s`);
  }
}

async function withinTime<Result>(
  operation: () => Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(() => {
    timer.abort(new StorageError(`the storage did not answer within ${timeoutMs / 1_000} s`));
  }, timeoutMs);
  try {
    return await unlessAborted(operation(), timer.signal);
  } finally {
    clearTimeout(timeout);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
