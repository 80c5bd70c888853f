import { withTimeout } from "./with-timeout.ts";

/** How a part that a program needs answered. */
type PartState = "ok" | "unavailable";

const timeoutMs = 2_000;

/**
 * Looks at the parts that a program needs, all at once. One that does not answer within two seconds is
 * not available: a part that hangs must not hang the probe.
 *
 * @param onFailure told why a part is not available.
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
