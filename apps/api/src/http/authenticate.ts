import { authenticateAndLimit, authenticate, type Caller } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { applyLimit, type Policy } from "./rate-limit.ts";

/**
 * Finds the account behind `Authorization: Bearer <key>` or `X-API-Key: <key>`, and takes the request
 * from its limit: both in one statement, since every request begins with it.
 */
export function requireAdmission(policy: Policy, { config, database }: ApiDependencies) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const key = readKey(request);
    const admission =
      key === null
        ? null
        : await authenticateAndLimit(database.pipelined, key, config.KEY_PEPPER, policy);
    setCaller(key, admission?.caller ?? null, response);
    if (admission !== null) applyLimit(policy, admission.limit, response);
    next();
  };
}

/** Finds the account behind a key, where its limit is taken from later. */
export function requireKey({ config, database }: ApiDependencies) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const key = readKey(request);
    const caller =
      key === null ? null : await authenticate(database.pipelined, key, config.KEY_PEPPER);
    setCaller(key, caller, response);
    next();
  };
}

/** @throws AppError `unauthorized` or `account_suspended`. */
function setCaller(key: string | null, caller: Caller | null, response: Response): void {
  if (caller === null) {
    response.set("WWW-Authenticate", 'Bearer realm="atelier"');
    throw new AppError(
      "unauthorized",
      key === null
        ? "Send your API key as Authorization: Bearer <key>."
        : "This API key is not valid. Check that it is whole and was not revoked.",
    );
  }
  if (caller.suspended) {
    throw new AppError(
      "account_suspended",
      "This account is suspended. Ask the operator of this service.",
    );
  }
  response.locals["caller"] = caller;
}

/** The API key that a request was sent with; null without one. */
export function readKey(request: Request): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.get("Authorization") ?? "");
  return bearer?.[1] ?? request.get("X-API-Key") ?? null;
}
