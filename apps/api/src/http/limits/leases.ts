import {
  noLease,
  rateLimitWindowMs,
  type Admission,
  type Caller,
  type Credential,
  type LeaseDemand,
  type RateLimit,
  type RateLimitState,
  type UnusedLease,
} from "@atelier/accounts";
import { hash } from "node:crypto";
import { textOf } from "../text-of.ts";

/** Callers of reads in the memory of a process, each with requests that were taken from its limit in advance. */
export interface Leases {
  /**
   * Finds the caller of a key or a session and takes a request from its limit; null for an invalid one. With
   * `isLeased`, the caller may come from memory.
   */
  admit(credential: Credential, limit: RateLimit): Promise<Admission | null>;
  /** Drops the callers of an account: what they may do has changed. */
  forget(accountId: string): void;
  /** Looks at the rows from now on, because changes are not notified. */
  pause(): void;
  resume(): void;
  /** Returns what is unused. */
  close(): Promise<void>;
}

interface LeaseOptions {
  readonly admitByRows: (
    credential: Credential,
    limit: RateLimit,
    demand: LeaseDemand,
  ) => Promise<Admission | null>;
  readonly giveBack: (limit: RateLimit, leases: readonly UnusedLease[]) => Promise<void>;
  /** A lease was not returned: its requests count as used. */
  readonly onError: (error: unknown) => void;
}

interface HeldLease {
  readonly caller: Caller;
  readonly limit: RateLimit;
  /** On the clock of `performance.now()`, as all times here. */
  readonly endsAt: number;
  unused: number;
  /** Requests since the lease began, which say how many the next one should have. */
  served: number;
  /** Backlog of the bucket when it was last read, with the whole lease. */
  backlog: { readonly ms: number; readonly at: number };
}

/** Number of callers; a new one replaces the one that was read least recently. */
const maxCallers = 10_000;

/** Longest time that a caller is remembered. */
const longestMs = 1_000;

/** A limit below this is counted exactly. */
const smallestLimit = 60;

/** Interval at which unused requests are returned. */
const returnIntervalMs = 500;

/** Time after its end in which the next read of the key may return a lease, without a statement of its own. */
const graceMs = 200;

/** Creates the leases of one process, which look at the rows until `resume`. */
export function createLeases({ admitByRows, giveBack, onError }: LeaseOptions): Leases {
  const held = new Map<string, HeldLease>();
  const renewals = new Map<string, Promise<unknown>>();
  let isPaused = true;
  /** Changes when callers are dropped: a row that was read before must not be kept. */
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  let returning: Promise<unknown> = Promise.resolve();

  /** Admits a request from a lease; null without a valid one. */
  function take(id: string): Admission | null {
    const lease = held.get(id);
    if (lease === undefined || performance.now() >= lease.endsAt) return null;
    lease.served++;
    if (lease.unused === 0 || hasEnded(lease.caller)) return null;
    lease.unused--;
    const limit = stateOf(lease);
    return { caller: lease.caller, limit, lease: nothing };
  }

  async function renew(
    id: string,
    credential: Credential,
    limit: RateLimit,
  ): Promise<Admission | null> {
    const sentAt = performance.now();
    const changesBefore = changes;
    const previous = held.get(id);
    const demand = previous === undefined ? noLease : demandAfter(previous, sentAt);
    if (previous !== undefined) previous.unused = 0;
    // When it fails, it is unknown whether the lease was returned.
    const admission = await admitByRows(credential, limit, demand);
    if (admission === null || !admission.limit.allowed) {
      if (previous !== undefined) {
        previous.unused = demand.returned;
        drop([[id, previous]]);
      }
      return admission;
    }
    const { caller, lease } = admission;
    const durationMs = lease.requests > 0 ? lease.durationMs : longestMs;
    const created: HeldLease = {
      caller,
      limit,
      endsAt: sentAt + Math.min(durationMs, longestMs),
      unused: lease.requests,
      served: 1,
      backlog: { ms: admission.limit.backlogMs, at: performance.now() },
    };
    const state = stateOf(created);
    held.delete(id);
    if (isPaused || changes !== changesBefore) sendBack([created]);
    else keep(id, created);
    return { ...admission, limit: state };
  }

  function keep(id: string, lease: HeldLease): void {
    held.set(id, lease);
    const [oldest] = held;
    if (held.size > maxCallers && oldest !== undefined) drop([oldest]);
    if (lease.unused > 0) timer ??= setTimeout(returnEnded, returnIntervalMs).unref();
  }

  function drop(entries: readonly (readonly [string, HeldLease])[]): void {
    for (const [id] of entries) held.delete(id);
    sendBack(entries.map(([, lease]) => lease));
  }

  function dropAll(select: (lease: HeldLease) => boolean): void {
    changes++;
    drop([...held].filter(([, lease]) => select(lease)));
  }

  function returnEnded(): void {
    timer = undefined;
    const now = performance.now();
    const unused = [...held.values()].filter((lease) => lease.unused > 0);
    sendBack(unused.filter(({ endsAt }) => endsAt + graceMs < now));
    if (unused.some((lease) => lease.unused > 0)) {
      timer = setTimeout(returnEnded, returnIntervalMs).unref();
    }
  }

  function sendBack(leases: readonly HeldLease[]): void {
    const unused = leases.filter((lease) => lease.unused > 0);
    for (const [limit, ofLimit] of Map.groupBy(unused, (lease) => lease.limit)) {
      const returned = ofLimit.map(({ caller, unused: requests }) => ({ caller, requests }));
      returning = Promise.all([returning, giveBack(limit, returned).catch(onError)]);
    }
    for (const lease of unused) lease.unused = 0;
  }

  async function admit(credential: Credential, limit: RateLimit): Promise<Admission | null> {
    const { isLeased = false, perMinute } = limit;
    if (isPaused || credential.kind === "session" || !isLeased || perMinute < smallestLimit) {
      return admitExactly(credential, limit);
    }
    const id = idOf(credential, limit);
    const fromMemory = take(id);
    if (fromMemory !== null) return fromMemory;
    const renewal = renewals.get(id);
    if (renewal !== undefined) {
      // Its failure is that of all that wait for it: each would wait as long again.
      await renewal;
      return take(id) ?? (await admitExactly(credential, limit));
    }
    const renewed = renew(id, credential, limit);
    renewals.set(id, renewed);
    try {
      return await renewed;
    } finally {
      renewals.delete(id);
    }
  }

  /** Admits a request by the rows, and its key's unused requests. */
  async function admitExactly(credential: Credential, limit: RateLimit): Promise<Admission | null> {
    const admission = await admitByRows(credential, limit, noLease);
    const id = idOf(credential, limit);
    const lease = held.get(id);
    if (lease === undefined || admission === null) return admission;
    if (admission.caller.refusal !== null || admission.caller.suspended) {
      drop([[id, lease]]);
      return admission;
    }
    lease.backlog = { ms: admission.limit.backlogMs, at: performance.now() };
    if (admission.limit.allowed) return { ...admission, limit: stateOf(lease) };
    return take(id) ?? admission;
  }

  function pause(): void {
    isPaused = true;
    dropAll(() => true);
  }

  return {
    admit,
    forget: (accountId) => dropAll(({ caller }) => caller.accountId === accountId),
    pause,
    resume() {
      isPaused = false;
    },
    async close() {
      pause();
      clearTimeout(timer);
      await returning;
    },
  };
}

const nothing = { requests: 0, durationMs: 0 } as const;

/** Keys are not kept in memory. */
function idOf(credential: Credential, { policy }: RateLimit): string {
  return `${policy} ${hash("sha256", textOf(credential), "base64url")}`;
}

/**
 * The demand of the lease that follows another one: as many requests as were sent in its time, and twice as many if
 * they did not suffice.
 */
function demandAfter(previous: HeldLease, now: number): LeaseDemand {
  const { endsAt, served, unused: returned } = previous;
  if (now < endsAt) return { wanted: 2 * served, returned };
  const wanted = served > 1 && now < endsAt + longestMs ? served : 0;
  return { wanted, returned };
}

/** State of the limit, as if nothing were leased. */
function stateOf({ backlog, limit, unused }: HeldLease): RateLimitState {
  const unusedMs = (unused * rateLimitWindowMs) / limit.perMinute;
  const passedMs = performance.now() - backlog.at;
  return { allowed: true, backlogMs: Math.max(0, backlog.ms - passedMs - unusedMs) };
}

/** Whether the key or its credential has ended since it was read. */
function hasEnded({ expiresAt, credentialEndsAt }: Caller): boolean {
  const now = Date.now();
  return [expiresAt, credentialEndsAt].some((end) => end !== null && end.getTime() <= now);
}
