import { StartError } from "./errors.ts";

/**
 * Waits for what settings name.
 *
 * @param settings the variables that an operator has to look at when it can't be had.
 * @throws StartError with them and the reason, in one line; what is a defect of ours, as it is.
 */
export async function opening<Opened>(settings: string, opened: Promise<Opened>): Promise<Opened> {
  try {
    return await opened;
  } catch (cause) {
    if (isDefect(cause)) throw cause;
    throw new StartError(`${settings}: ${reasonOf(cause)}`, { cause });
  }
}

/** No setting is to blame for it: where it comes from has to be told. */
function isDefect(error: unknown): boolean {
  return error instanceof ReferenceError || (error instanceof TypeError && !("code" in error));
}

/** What fails on every address of a host has no message of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
