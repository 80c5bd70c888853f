import { AppError } from "@atelier/schemas";
import type { Storage } from "./storage.ts";

/**
 * The store did not do what it was asked for: it is away, slow or full, or lets nobody in. The same
 * may work later.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** The same storage, whose failures are StorageErrors, whichever kind of store it is. */
export function tellingFailures(storage: Storage): Storage {
  return {
    ...storage,
    put: (key, bytes, options) => tell(() => storage.put(key, bytes, options)),
    get: (key) => tell(() => storage.get(key)),
    delete: (keys) => tell(() => storage.delete(keys)),
    async *list(prefix) {
      try {
        yield* storage.list(prefix);
      } catch (cause) {
        throw toStorageError(cause);
      }
    },
    check: () => tell(() => storage.check()),
  };
}

async function tell<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw toStorageError(cause);
  }
}

/** A wrong key is a mistake of the caller's, and stays one. */
function toStorageError(cause: unknown): unknown {
  if (cause instanceof AppError || cause instanceof TypeError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(`the storage failed: ${reason}`, { cause });
}
