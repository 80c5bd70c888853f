/**
 * What to tell a person: the message, and that of the cause where the message alone says nothing,
 * as in "fetch failed". Connections refused on several addresses have no message, only a code.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === "" ? (codeOf(error) ?? error.name) : error.message;
  if (error.message !== "fetch failed" || error.cause === undefined) return text;
  return `${text}: ${describeError(error.cause)}`;
}

/** The code of an error of the system, such as "ENOENT". */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return String(error.code);
}
