import {
  assertScope,
  refusedKey,
  suspendedAccount,
  type Admission,
  type Caller,
  type Credential,
} from "@atelier/accounts";
import { AppError, type KeyScope } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiDependencies, Needs } from "../dependencies.ts";
import { isFromStudio } from "../studio/is-from-studio.ts";
import { readSession } from "../studio/session.ts";
import { assertPageKey, isFromOtherOrigin } from "./allow-origins.ts";
import { clientAddress } from "./client-address.ts";
import { contextOf } from "./context.ts";
import { applyLimit } from "./limits/rate-limit.ts";
import type { Policy } from "./policy.ts";

/** Admitting a request by its key needs these. */
export type AdmissionDependencies = Needs<"admissions" | "config" | "failedAuthentications">;

/** Finds the API key or the session of a request; null without one. */
type FindCredential = (request: Request) => Credential | null;

/**
 * Finds the account of the request's key or session and takes the request from its limit. One statement does
 * both, since every request runs it before its body is read. A request without a valid key is taken
 * from the limit of its client's address instead.
 *
 * @param findCredential where it comes from: the headers or Studio's cookie by default.
 */
export function requireAdmission(
  policy: Policy,
  dependencies: AdmissionDependencies,
  findCredential: FindCredential = (request) => findCallerCredential(request, dependencies),
) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    await admit(findCredential(request), policy, { request, response }, dependencies);
    next();
  };
}

/**
 * Admits the request of a key or a session: sets its caller and the rate limit headers.
 *
 * @throws AppError `unauthorized`, `account_suspended` or `rate_limited`.
 */
export async function admit(
  credential: Credential | null,
  policy: Policy,
  { request, response }: { readonly request: Request; readonly response: Response },
  dependencies: AdmissionDependencies,
): Promise<void> {
  const admission = await findAdmission(credential, policy, request, dependencies);
  setCaller(credential, admission?.caller ?? null, request, response);
  if (admission === null) return;
  assertPageKey(admission.caller, request, dependencies.config);
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
  credential: Credential | null,
  policy: Policy,
  request: Request,
  { admissions, failedAuthentications }: Needs<"admissions" | "failedAuthentications">,
): Promise<Admission | null> {
  const address = clientAddress(request);
  failedAuthentications.assertAllowed(address, credential);
  const admission = credential === null ? null : await admissions.admit(credential, policy);
  if (credential !== null && admission !== null && isServed(admission.caller)) {
    failedAuthentications.succeeded(credential);
  } else {
    failedAuthentications.failed(address, credential);
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
  credential: Credential | null,
  caller: Caller | null,
  request: Request,
  response: Response,
): void {
  if (caller === null || caller.refusal !== null) {
    response.set("WWW-Authenticate", 'Bearer realm="atelier"');
    throw caller?.refusal ? refusedKey(caller.refusal) : unknownKey(credential, request);
  }
  if (caller.suspended) throw suspendedAccount();
  response.locals["caller"] = caller;
}

function unknownKey(credential: Credential | null, request: Request): AppError {
  if (credential?.kind === "key") {
    return new AppError("unauthorized", "This API key is not valid. Check that it is complete.");
  }
  return new AppError(
    "unauthorized",
    isFromStudio(request)
      ? "You are not signed in to Studio. Sign in with an API key."
      : "Send your API key as Authorization: Bearer <key>.",
  );
}

/** Headers that are a key alone, in the order in which they count. Clients of Azure send the second one. */
const keyHeaders = ["X-API-Key", "api-key"];

/** The API key in `Authorization: Bearer <key>`, `X-API-Key: <key>` or `api-key: <key>`; null without one. */
export function readKey(request: Request): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.get("Authorization") ?? "");
  const [key = null] = keyHeaders.flatMap((name) => request.get(name) ?? []);
  return bearer?.[1] ?? key;
}

/** The API key of a request as its credential; null without one. */
export function readKeyCredential(request: Request): Credential | null {
  const key = readKey(request);
  return key === null ? null : { kind: "key", key };
}

/** The key of an API client or the session of Studio. The headers of clients win. */
function findCallerCredential(request: Request, { config }: Needs<"config">): Credential | null {
  const hasHeader = ["Authorization", ...keyHeaders].some(
    (name) => request.get(name) !== undefined,
  );
  if (hasHeader) return readKeyCredential(request);
  return isFromOtherOrigin(request, config) ? null : findSession(request, config);
}

/** The session of a request; null without one. */
export function findSession(
  request: Request,
  config: ApiDependencies["config"],
): Credential | null {
  const id = readSession(request, config);
  return id === null ? null : { kind: "session", id };
}
