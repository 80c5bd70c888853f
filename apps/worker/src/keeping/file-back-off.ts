import { backOff } from "../webhooks/back-off.ts";

/** The backoff of files that could not be copied or removed. Lives as long as the process. */
export interface FileBackOff {
  isDue(key: string): boolean;
  failed(key: string): void;
  succeeded(key: string): void;
}

/** @param now clock in milliseconds. */
export function createFileBackOff(now: () => number = Date.now): FileBackOff {
  const waiting = new Map<string, { readonly failures: number; readonly dueAt: number }>();
  return {
    isDue: (key) => (waiting.get(key)?.dueAt ?? 0) <= now(),
    failed(key) {
      const failures = (waiting.get(key)?.failures ?? 0) + 1;
      waiting.set(key, { failures, dueAt: now() + backOff(failures) });
    },
    succeeded: (key) => void waiting.delete(key),
  };
}
