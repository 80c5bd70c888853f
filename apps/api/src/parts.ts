import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable, startLoop, withTimeout } from "@atelier/process";
import type { Queues } from "@atelier/queue";
import { AppError } from "@atelier/schemas";
import { StorageError, type Storage } from "@atelier/storage";

/** A dependency that the API can work without for a while. */
type PartName = "queue" | "storage";

type PartState = "ok" | "unavailable";

/** Result of a check: null, or the error. */
type Fault = unknown;

/** Timeout of the check of a dependency at the start of the API, in milliseconds. */
const startTimeoutMs = 5_000;

/**
 * Checks a dependency at the start of the API, which serves without it.
 *
 * @returns null, or the error when the dependency is unavailable now.
 * @throws errors that an operator must fix, such as for a wrong password.
 */
export async function checkAtStart(check: () => Promise<void>): Promise<Fault> {
  const checked = check().then(
    () => null,
    (error: unknown) => {
      const isFull = error instanceof StorageError && error.isFull;
      if (isFull || isUnavailable(error)) return error;
      throw error;
    },
  );
  const timeout = delay(startTimeoutMs, new Error("no response in time"), { ref: false });
  return Promise.race([checked, timeout]);
}

/** Health of the queue and the storage, as last seen by this process. */
export interface Parts {
  /** Result of the last check; never waits. */
  readonly states: Readonly<Record<PartName, PartState>>;
  /** @throws AppError `overloaded` while images cannot be stored. */
  requireStorage(): void;
  /** Stops checking and waits for the current check. */
  close(): Promise<void>;
}

export interface PartsOptions {
  readonly intervalMs?: number;
  /** Timeout of a check, in milliseconds. */
  readonly timeoutMs?: number;
  /** Duration of a storage outage after which no more work is accepted, in milliseconds. */
  readonly maxStorageOutageMs?: number;
  /** Results of the checks at the start; default: no faults. */
  readonly first?: Readonly<Record<PartName, Fault>>;
  /** Called with the error when a dependency fails, and with null when it recovers. */
  readonly onChange: (part: PartName, error: unknown) => void;
}

/**
 * Checks the queue and the storage every few seconds.
 *
 * Without the queue nothing is lost: recovery dispatches accepted work once it is back. Without the
 * storage accepted work waits, so a short outage needs no refusal either. A full disk does not
 * recover by itself and stops acceptance at once.
 */
export function watchParts(
  {
    queues,
    storage,
  }: { readonly queues: Pick<Queues, "check">; readonly storage: Pick<Storage, "check"> },
  {
    intervalMs = 2_000,
    timeoutMs = 5_000,
    maxStorageOutageMs = 20_000,
    first = { queue: null, storage: null },
    onChange,
  }: PartsOptions,
): Parts {
  const states: Record<PartName, PartState> = { queue: "ok", storage: "ok" };
  let storageFault: { readonly since: number; readonly error: unknown } | null = null;

  function recordState(part: PartName, fault: Fault): void {
    const state = fault === null ? "ok" : "unavailable";
    if (state !== states[part]) onChange(part, fault);
    states[part] = state;
    if (part === "queue") return;
    storageFault =
      fault === null ? null : { since: storageFault?.since ?? performance.now(), error: fault };
  }

  async function checkPart(part: PartName, check: () => Promise<void>): Promise<void> {
    const fault = await withTimeout(check(), timeoutMs).then(
      () => null,
      (thrown: unknown) => thrown ?? new Error("no reason given"),
    );
    recordState(part, fault);
  }

  recordState("queue", first.queue);
  recordState("storage", first.storage);
  const schedule = { firstDelayMs: 0, delayMs: () => intervalMs };
  const loops = [
    startLoop(() => checkPart("queue", () => queues.check()), {
      ...schedule,
      onError: (error) => onChange("queue", error),
    }),
    startLoop(() => checkPart("storage", () => storage.check()), {
      ...schedule,
      onError: (error) => onChange("storage", error),
    }),
  ];

  return {
    states,
    requireStorage() {
      if (storageFault === null) return;
      const { since, error } = storageFault;
      const isFull = error instanceof StorageError && error.isFull;
      if (!isFull && performance.now() - since < maxStorageOutageMs) return;
      throw new AppError(
        "overloaded",
        "Images cannot be stored at the moment, so that no new work is accepted. Send the request again after Retry-After.",
        { cause: error, retryAfterMs: 30_000 },
      );
    },
    async close() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
