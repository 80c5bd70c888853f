import {
  assertScope,
  refusedKey,
  suspendedAccount,
  type Admission,
  type Caller,
} from "@atelier/accounts";
import { AppError, type KeyScope } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { clientAddress } from "./client-address.ts";
import { isFromStudio } from "../studio/is-from-studio.ts";
import { readSession } from "../studio/session.ts";
import { contextOf } from "./context.ts";
import { applyLimit, type Policy } from "./rate-limit.ts";

/** Finds the API key of a request; null without one. */
export type FindKey = (request: Request) => string | null;

/**
 * Finds the account of the request's key and takes the request from its limit. One statement does
 * both, since every request runs it before its body is read. A request without a valid key is taken
 * from the limit of its client's address instead.
 *
 * @param findKey where the key comes from: the headers or Studio's session by default.
 */
export function requireAdmission(
  policy: Policy,
  dependencies: ApiDependencies,
  findKey: FindKey = (request) => findCallerKey(request, dependencies),
) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    await admitKey(findKey(request), policy, { request, response }, dependencies);
    next();
  };
}

/**
 * Admits the request of a key: sets its caller and the rate limit headers.
 *
 * @throws AppError `unauthorized`, `account_suspended` or `rate_limited`.
 */
export async function admitKey(
  key: string | null,
  policy: Policy,
  { request, response }: { readonly request: Request; readonly response: Response },
  dependencies: ApiDependencies,
): Promise<void> {
  const admission = await findAdmission(key, policy, request, dependencies);
  setCaller(key, admission?.caller ?? null, request, response);
  if (admission === null) return;
  response.locals["policy"] = policy;
  applyLimit(policy, admission.limit, response);
}

/**
 * Looks a key up and takes the request from its limit, or from the one of the address when the key is
 * missing, unknown or refused.
 *
 * @throws AppError `rate_limited` for an address that sent too many requests without a valid key.
 */
async function findAdmission(
  key: string | null,
  policy: Policy,
  request: Request,
  { admissions, failedAuthentications }: ApiDependencies,
): Promise<Admission | null> {
  const address = clientAddress(request);
  failedAuthentications.assertAllowed(address, key);
  const admission = key === null ? null : await admissions.admit(key, policy);
  if (key !== null && admission !== null && isServed(admission.caller)) {
    failedAuthentications.succeeded(key);
  } else {
    failedAuthentications.failed(address, key);
  }
  return admission;
}

/** @throws AppError `key_not_permitted` when the key lacks the scope. */
export function requireScope(scope: KeyScope) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    assertScope(contextOf(response).caller, scope);
    next();
  };
}

/** Whether requests of a caller are taken from its own limit. */
function isServed({ refusal, suspended }: Caller): boolean {
  return refusal === null && !suspended;
}

/** @throws AppError `unauthorized` or `account_suspended`. */
function setCaller(
  key: string | null,
  caller: Caller | null,
  request: Request,
  response: Response,
): void {
  if (caller === null || caller.refusal !== null) {
    response.set("WWW-Authenticate", 'Bearer realm="atelier"');
    throw caller?.refusal ? refusedKey(caller.refusal) : unknownKey(key, request);
  }
  if (caller.suspended) throw suspendedAccount();
  response.locals["caller"] = caller;
}

function unknownKey(key: string | null, request: Request): AppError {
  if (key !== null) {
    return new AppError("unauthorized", "This API key is not valid. Check that it is complete.");
  }
  return new AppError(
    "unauthorized",
    isFromStudio(request)
      ? "You are not signed in to Studio. Sign in with an API key."
      : "Send your API key as Authorization: Bearer <key>.",
  );
}

/** The API key in `Authorization: Bearer <key>` or `X-API-Key: <key>`; null without one. */
export function readKey(request: Request): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.get("Authorization") ?? "");
  return bearer?.[1] ?? request.get("X-API-Key") ?? null;
}

/** The key of a request of an API client or of Studio's session. The headers of clients win. */
function findCallerKey(
  request: Request,
  { config }: Pick<ApiDependencies, "config">,
): string | null {
  const hasHeader = ["Authorization", "X-API-Key"].some((name) => request.get(name) !== undefined);
  return hasHeader ? readKey(request) : readSession(request, config);
}
