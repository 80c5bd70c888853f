import { hash } from "node:crypto";
import { AppError } from "@atelier/schemas";
import { createAddressLimit } from "./address-limit.ts";

/** Limits requests without a valid key by client address. */
export interface FailedAuthentications {
  /**
   * Checks the limit before a key is looked up. A key that was valid lately is always looked up, so
   * that clients which share an address with an attacker are served.
   *
   * @throws AppError `rate_limited`.
   */
  assertAllowed(address: string, key: string | null): void;
  /** Records that a key was valid. */
  succeeded(key: string): void;
  /** Counts a request whose key is missing, unknown or refused. */
  failed(address: string, key: string | null): void;
}

/** Number of keys that are remembered as valid; a new one replaces the one used least recently. */
const maxKeys = 10_000;

/** Creates the limit of one process. */
export function createFailedAuthentications({
  FAILED_AUTHENTICATIONS_PER_MINUTE: perMinute,
}: {
  readonly FAILED_AUTHENTICATIONS_PER_MINUTE: number;
}): FailedAuthentications {
  const limit = createAddressLimit({ perMinute });
  /** Hashes of keys that were valid; the one used least recently comes first. */
  const valid = new Set<string>();
  return {
    assertAllowed(address, key) {
      const waitMs = limit.waitMs(address);
      if (waitMs === 0 || (key !== null && valid.has(hashOf(key)))) return;
      throw new AppError(
        "rate_limited",
        `This address may send ${perMinute} requests without a valid API key a minute. Check the key, and send the request again after Retry-After.`,
        { details: { limit_per_minute: perMinute }, retryAfterMs: waitMs },
      );
    },
    succeeded(key) {
      const hashed = hashOf(key);
      valid.delete(hashed);
      valid.add(hashed);
      const [oldest] = valid;
      if (valid.size > maxKeys && oldest !== undefined) valid.delete(oldest);
    },
    failed(address, key) {
      limit.count(address);
      if (key !== null) valid.delete(hashOf(key));
    },
  };
}

/** Keys are not kept in memory. */
function hashOf(key: string): string {
  return hash("sha256", key, "base64url");
}
