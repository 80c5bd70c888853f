import { createHash } from "node:crypto";

/** Verdicts of a model, by what was judged. It holds hashes and verdicts, no texts. */
export interface VerdictCache<Verdict> {
  /** The verdict; undefined when it is unknown or expired. */
  find(key: readonly string[]): Verdict | undefined;
  add(key: readonly string[], verdict: Verdict): void;
}

/**
 * Creates a cache in memory. The least recently used verdict is dropped for a new one, and none is used
 * for longer than a job may take, so that a model that changes behind its address is asked again.
 */
export function createVerdictCache<Verdict>(
  maxEntries = 10_000,
  maxAgeMs = 3_600_000,
): VerdictCache<Verdict> {
  const entries = new Map<string, { readonly verdict: Verdict; readonly addedAt: number }>();
  const hash = (key: readonly string[]) =>
    createHash("sha256").update(JSON.stringify(key)).digest("base64");

  return {
    find(key) {
      const id = hash(key);
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      entries.delete(id);
      if (performance.now() - entry.addedAt >= maxAgeMs) return undefined;
      entries.set(id, entry);
      return entry.verdict;
    },
    add(key, verdict) {
      const id = hash(key);
      entries.delete(id);
      entries.set(id, { verdict, addedAt: performance.now() });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}
