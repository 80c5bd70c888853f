import { isWellFormedKey, type Credential } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import { hash } from "node:crypto";
import { textOf } from "../text-of.ts";
import { createAddressLimit } from "./address-limit.ts";

/**
 * Kinds of failed attempts, which are counted apart: those that this service can refuse without a
 * lookup, such as a missing or mistyped key, lock out no valid key or link behind the same address.
 */
export type Attempt = "malformed" | "well-formed";

/** Limits requests without a valid key by client address. */
export interface FailedAuthentications {
  /**
   * Checks the limit of its kind before a credential is looked up. One that was valid lately is always
   * looked up, so that clients which share an address with an attacker are served.
   *
   * @throws AppError `rate_limited`.
   */
  assertAllowed(address: string, attempt: Credential | Attempt | null): void;
  /** Records that a credential was valid. */
  succeeded(credential: Credential): void;
  /** Counts a request whose credential is missing, unknown or refused. */
  failed(address: string, attempt: Credential | Attempt | null): void;
}

/** Number of credentials that are remembered as valid; a new one replaces the one used least recently. */
const maxKeys = 10_000;

/** Creates the limit of one process. */
export function createFailedAuthentications({
  FAILED_AUTHENTICATIONS_PER_MINUTE: perMinute,
}: {
  readonly FAILED_AUTHENTICATIONS_PER_MINUTE: number;
}): FailedAuthentications {
  const limits = {
    malformed: createAddressLimit({ perMinute }),
    "well-formed": createAddressLimit({ perMinute }),
  };
  /** Hashes of credentials that were valid; the one used least recently comes first. */
  const valid = new Set<string>();
  return {
    assertAllowed(address, attempt) {
      const waitMs = limits[kindOf(attempt)].waitMs(address);
      if (waitMs === 0 || (isCredential(attempt) && valid.has(hashOf(attempt)))) return;
      throw new AppError(
        "rate_limited",
        `This address may send ${perMinute} requests without a valid API key a minute. Check the key, and send the request again after Retry-After.`,
        { details: { limit_per_minute: perMinute }, retryAfterMs: waitMs },
      );
    },
    succeeded(credential) {
      const hashed = hashOf(credential);
      valid.delete(hashed);
      valid.add(hashed);
      const [oldest] = valid;
      if (valid.size > maxKeys && oldest !== undefined) valid.delete(oldest);
    },
    failed(address, attempt) {
      limits[kindOf(attempt)].count(address);
      if (isCredential(attempt)) valid.delete(hashOf(attempt));
    },
  };
}

function kindOf(attempt: Credential | Attempt | null): Attempt {
  if (attempt === null) return "malformed";
  if (!isCredential(attempt)) return attempt;
  return attempt.kind === "session" || isWellFormedKey(attempt.key) ? "well-formed" : "malformed";
}

function isCredential(attempt: Credential | Attempt | null): attempt is Credential {
  return typeof attempt === "object" && attempt !== null;
}

/** Keys are not kept in memory. */
function hashOf(credential: Credential): string {
  return hash("sha256", textOf(credential), "base64url");
}
