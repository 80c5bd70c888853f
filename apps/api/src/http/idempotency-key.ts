import { createHash } from "node:crypto";
import type { Caller } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** A client's idempotency key, as it is stored, with the hash of its request. */
interface KeyedRequest {
  readonly key: string;
  /** SHA-256 of the parsed request. */
  readonly requestHash: Buffer;
}

/**
 * Reads the client's `Idempotency-Key`; null without one.
 *
 * @param body the parsed request, so that formatting does not matter.
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(
  request: Request,
  body: object,
  caller: Pick<Caller, "mode">,
): KeyedRequest | null {
  const key = request.get("Idempotency-Key");
  if (key === undefined) return null;
  return keyRequest(key, { path: pathOf(request), body, caller }, "Idempotency-Key");
}

/** SHA-256 of a request: that of an equal request is the same, however it is formatted. */
export function hashRequest(request: Request, body: object): Buffer {
  return hashContent(pathOf(request), body);
}

/** The path of the route: `/Generate/Image/` is the same operation. */
function pathOf({ route }: Request): string {
  return (route as { readonly path: string }).path;
}

function hashContent(path: string, body: object): Buffer {
  return createHash("sha256")
    .update(`${path}\n${JSON.stringify(body)}`)
    .digest();
}

/**
 * Reads the client's `Idempotency-Key` of a request whose body is bound to it elsewhere; null without one.
 *
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function readBareIdempotencyKey(
  request: Request,
  caller: Pick<Caller, "mode">,
): string | null {
  const key = request.get("Idempotency-Key");
  if (key === undefined) return null;
  assertVisible(key, "Idempotency-Key");
  return storedKey(key, caller);
}

/**
 * The key as it is stored. Those of tests begin with a text that no client can send, so that a live request
 * never gets the result of a test.
 */
function storedKey(key: string, { mode }: Pick<Caller, "mode">): string {
  return mode === "test" ? `test ${key}` : key;
}

/** Middleware of routes that do not support an `Idempotency-Key`; see `assertNoIdempotencyKey`. */
export function refuseIdempotencyKey(reason: string) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    assertNoIdempotencyKey(request, reason);
    next();
  };
}

/**
 * Refuses an `Idempotency-Key` for an operation that does not support it, so that a client does not
 * repeat a request in the belief that it is safe.
 *
 * @param reason why, and what to do instead.
 * @throws AppError `invalid_request` when the request has one.
 */
export function assertNoIdempotencyKey(request: Request, reason: string): void {
  if (request.get("Idempotency-Key") === undefined) return;
  throw new AppError("invalid_request", `Idempotency-Key is not supported here. ${reason}`, {
    details: [{ path: "Idempotency-Key", code: "not_supported", message: reason }],
  });
}

/** The error for a key that was used for another request. */
export function idempotencyKeyReused(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request. Use a new key for each new request.",
  );
}

function assertVisible(key: string, source: string): void {
  if (visibleAscii.test(key)) return;
  const rule = "1 to 255 visible ASCII characters";
  throw new AppError("invalid_request", `${source} must have ${rule}.`, {
    details: [{ path: source, code: "invalid_format", message: rule }],
  });
}

/**
 * Binds an idempotency key to its request.
 *
 * @param bound.path path of the operation under `/v1`, such as `/generate/image`.
 * @param source location of the key in the request, for errors.
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function keyRequest(
  key: string,
  bound: {
    readonly path: string;
    readonly body: object;
    readonly caller: Pick<Caller, "mode">;
  },
  source: string,
): KeyedRequest {
  assertVisible(key, source);
  return {
    key: storedKey(key, bound.caller),
    requestHash: hashContent(bound.path, bound.body),
  };
}
