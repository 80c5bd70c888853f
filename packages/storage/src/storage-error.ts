import { AppError } from "@atelier/schemas";
import type { Storage } from "./storage.ts";

/**
 * A failed operation of the store, because it is unavailable, slow or full, or denies access. The
 * operation may succeed later.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";

  /** Whether the store is full, which unlike other failures needs an operator. */
  get isFull(): boolean {
    return ["ENOSPC", "EDQUOT"].includes(String((this.cause as { code?: unknown } | null)?.code));
  }
}

/** Wraps a storage so that its failures are StorageErrors. */
export function withStorageErrors(storage: Storage): Storage {
  return {
    ...storage,
    put: (key, bytes, options) => convertErrors(() => storage.put(key, bytes, options)),
    get: (key) => convertErrors(() => storage.get(key)),
    copy: (from, to) => convertErrors(() => storage.copy(from, to)),
    delete: (keys) => convertErrors(() => storage.delete(keys)),
    async *list(prefix) {
      try {
        yield* storage.list(prefix);
      } catch (cause) {
        throw toStorageError(cause);
      }
    },
    check: () => convertErrors(() => storage.check()),
  };
}

async function convertErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw toStorageError(cause);
  }
}

/** Keeps errors of the caller, such as an invalid key. */
function toStorageError(cause: unknown): unknown {
  if (cause instanceof AppError || cause instanceof TypeError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(`the storage failed: ${reason}`, { cause });
}
