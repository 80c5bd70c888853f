import { StartError } from "./errors.ts";

/**
 * Opens a resource that settings name.
 *
 * @param settings the variables that an operator should check when it fails.
 * @throws StartError with these variables and the reason in one line. Internal errors pass unchanged.
 */
export async function openSetting<Opened>(
  settings: string,
  opened: Promise<Opened>,
): Promise<Opened> {
  try {
    return await opened;
  } catch (cause) {
    if (isDefect(cause)) throw cause;
    throw new StartError(`${settings}: ${reasonOf(cause)}`, { cause });
  }
}

/** Whether an error is a programming error, which needs its stack rather than a setting. */
function isDefect(error: unknown): boolean {
  return error instanceof ReferenceError || (error instanceof TypeError && !("code" in error));
}

/** An AggregateError of failed addresses has no message itself. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
