import { InvalidRequestError } from "./errors.ts";

/** A valid HTTP field value (RFC 9110, section 5.5): one byte per character, no control characters. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Rejects a value that cannot be sent in a header. `fetch` would report it like an unreachable server.
 *
 * @param name the name of the argument. The value may be secret and is not part of the message.
 * @throws InvalidRequestError `invalid_argument`.
 */
export function assertHeaderValue(name: string, value: string): void {
  // fetch removes trailing line breaks, such as that of a key read from a file.
  if (fieldValue.test(value.replace(/(?<![\r\n])[\r\n]+$/, ""))) return;
  throw new InvalidRequestError(
    "invalid_argument",
    `${name} contains characters that HTTP headers cannot carry, such as … or a line break. Pass the complete value; no request was sent.`,
  );
}
