import { InvalidRequestError } from "./errors.ts";

/** What a field of HTTP can hold (RFC 9110, section 5.5): a byte for a character, and no control character. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Refuses what cannot be sent in a header. `fetch` would refuse it, too, but with the error of a
 * server that is away.
 *
 * @param name of the argument. The value may be a secret, and is not told.
 * @throws InvalidRequestError `invalid_argument`.
 */
export function assertHeaderValue(name: string, value: string): void {
  // What fetch cuts off by itself: a key that was read from a file ends with a line break.
  if (fieldValue.test(value.replace(/[\r\n]+$/, ""))) return;
  throw new InvalidRequestError(
    "invalid_argument",
    `${name} has characters that no header can hold, such as … or a line break. Nothing was asked for. Give it as it was given to you, whole.`,
  );
}
