/**
 * Returns the message of an error for users, followed by that of its cause when the message alone
 * is not helpful, such as "fetch failed". Connections refused on several addresses have a code but
 * no message.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === "" ? (codeOf(error) ?? error.name) : error.message;
  if (error.message !== "fetch failed" || error.cause === undefined) return text;
  return `${text}: ${describeError(error.cause)}`;
}

/** The code of a system error, such as "ENOENT". */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return String(error.code);
}
