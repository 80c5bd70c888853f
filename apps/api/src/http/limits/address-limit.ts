/** A rate limit by client address. */
export interface AddressLimit {
  /** Time until the address may send another request, in milliseconds; 0 when it may now. */
  waitMs(address: string): number;
  /** Time until the address has used nothing of its limit, in milliseconds. */
  backlogMs(address: string): number;
  /**
   * Counts a request of the address, or one that cost as much as several. The bucket may be overdrawn
   * by that, so that the address waits at most one minute longer.
   */
  count(address: string, units?: number): void;
}

interface AddressLimitOptions {
  /** Size of a full bucket, which refills evenly in a minute. */
  readonly perMinute: number;
  /** Size of the table; a new address replaces the one that was counted least recently. */
  readonly maxAddresses?: number;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

const windowMs = 60_000;
const maxBacklogMs = 2 * windowMs;

/**
 * Creates a limit by client address, by the generic cell rate algorithm. It is counted in this
 * process, in a table of fixed size, because it bounds requests that must not cost a query. A service
 * of several processes therefore allows the limit once for each.
 */
export function createAddressLimit({
  perMinute,
  maxAddresses = 10_000,
  now = () => performance.now(),
}: AddressLimitOptions): AddressLimit {
  const intervalMs = windowMs / perMinute;
  /** When the bucket of an address is full again; the address counted least recently comes first. */
  const fullAt = new Map<string, number>();
  const backlogMs = (address: string) => Math.max(0, (fullAt.get(address) ?? 0) - now());
  return {
    backlogMs,
    waitMs: (address) => Math.max(0, backlogMs(address) + intervalMs - windowMs),
    count(address, units = 1) {
      const from = Math.max(fullAt.get(address) ?? 0, now());
      fullAt.delete(address);
      fullAt.set(address, Math.min(from + units * intervalMs, now() + maxBacklogMs));
      const [oldest] = fullAt.keys();
      if (fullAt.size > maxAddresses && oldest !== undefined) fullAt.delete(oldest);
    },
  };
}
