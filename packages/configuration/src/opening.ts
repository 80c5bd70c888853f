import { StartError } from "./errors.ts";

/**
 * Waits for what settings name.
 *
 * @param settings the variables that an operator has to look at when it can't be had.
 * @throws StartError with them and the reason, in one line.
 */
export async function opening<Opened>(settings: string, opened: Promise<Opened>): Promise<Opened> {
  try {
    return await opened;
  } catch (cause) {
    throw new StartError(`${settings}: ${reasonOf(cause)}`, { cause });
  }
}

/** What fails on every address of a host has no message of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
