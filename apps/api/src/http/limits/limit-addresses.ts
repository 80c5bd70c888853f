import type { NextFunction, Request, Response } from "express";
import { clientAddress } from "../client-address.ts";
import type { Policy } from "../policy.ts";
import { createAddressLimit } from "./address-limit.ts";
import { applyLimit } from "./rate-limit.ts";

/** The rate limit of requests without a key, by client address. */
export interface RequestLimit {
  /** Refuses requests of an address that has sent too many: AppError `rate_limited`. */
  readonly admit: (request: Request, response: Response, next: NextFunction) => void;
  /**
   * Charges an admitted request that costs as much as several.
   *
   * @param units the requests beyond the one that was counted on admission.
   */
  readonly charge: (request: Request, response: Response, units: number) => void;
}

export function limitAddresses(policy: Policy): RequestLimit {
  const limit = createAddressLimit(policy);
  return {
    admit(request, response, next) {
      const address = clientAddress(request);
      const allowed = limit.waitMs(address) === 0;
      if (allowed) limit.count(address);
      applyLimit(policy, { allowed, backlogMs: limit.backlogMs(address) }, response);
      next();
    },
    charge(request, response, units) {
      if (units < 1) return;
      const address = clientAddress(request);
      limit.count(address, units);
      applyLimit(policy, { allowed: true, backlogMs: limit.backlogMs(address) }, response);
    },
  };
}
