import { AppError } from "@atelier/schemas";

/** Why a key that exists is refused. */
export type KeyRefusal = "revoked" | "expired";

/** The error for a request with a key that was revoked or has expired. */
export function refusedKey(reason: KeyRefusal): AppError {
  const message = {
    revoked: "This API key was revoked. Use another key.",
    expired: "This API key has expired. Ask the owner of the account for a new one.",
  }[reason];
  return new AppError("unauthorized", message, { details: { reason } });
}

/** The error for a request whose secret was replaced, or whose session was ended, since it began. */
export function endedCredential(): AppError {
  return new AppError(
    "unauthorized",
    "This API key was replaced or this session was ended. Use the current key or sign in again.",
  );
}

/** The error for every request of a suspended account. */
export function suspendedAccount(): AppError {
  return new AppError(
    "account_suspended",
    "This account is suspended. Ask the operator of this service.",
  );
}
