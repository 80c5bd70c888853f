import { AppError, type KeyMode } from "@atelier/schemas";

/** The error when an account has as many things of a mode as it may. */
export function tooManyItems(
  mode: KeyMode,
  quota: { readonly of: string } & Readonly<Record<KeyMode, number>>,
  advice: string,
): AppError {
  const owner = mode === "test" ? "The tests of the account have" : "The account has";
  return tooMany(`${owner} ${quota[mode]} ${quota.of}, which is the limit. ${advice}`, quota[mode]);
}

/** The error with the limit of its details. */
export function tooMany(message: string, most: number): AppError {
  return new AppError("too_many_items", message, { details: { max_items: most } });
}
