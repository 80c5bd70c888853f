import { withTimeout } from "./with-timeout.ts";

/** The state of a dependency of a program. */
type PartState = "ok" | "unavailable";

const timeoutMs = 2_000;

/**
 * Checks the dependencies of a program concurrently. One that does not respond within two seconds counts
 * as unavailable, so that it can't hang the probe.
 *
 * @param onFailure called with the reason when a dependency is unavailable.
 */
export async function checkParts<Name extends string>(
  parts: Readonly<Record<Name, () => Promise<unknown>>>,
  onFailure: (part: string, error: unknown) => void,
): Promise<Readonly<Record<Name, PartState>>> {
  const checks = Object.entries<() => Promise<unknown>>(parts).map(async ([name, check]) => {
    try {
      await withTimeout(check(), timeoutMs);
      return [name, "ok"] as const;
    } catch (error) {
      onFailure(name, error);
      return [name, "unavailable"] as const;
    }
  });
  return Object.fromEntries(await Promise.all(checks)) as Record<Name, PartState>;
}
