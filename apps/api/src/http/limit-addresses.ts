import type { NextFunction, Request, Response } from "express";
import { createAddressLimit } from "./address-limit.ts";
import { clientAddress } from "./client-address.ts";
import { applyLimit, type Policy } from "./rate-limit.ts";

/** Refuses requests of a client address that has sent too many: AppError `rate_limited`. */
export function limitAddresses(policy: Policy) {
  const limit = createAddressLimit(policy);
  return (request: Request, response: Response, next: NextFunction): void => {
    const address = clientAddress(request);
    const allowed = limit.waitMs(address) === 0;
    if (allowed) limit.count(address);
    applyLimit(policy, { allowed, backlogMs: limit.backlogMs(address) }, response);
    next();
  };
}
