import { AppError } from "@atelier/schemas";

/** A client's preference (RFC 7240) on waiting. */
interface Preference {
  /** Maximum wait of the request for its image, in milliseconds; 0 responds at once. */
  readonly waitMs: number;
}

/**
 * Reads `Prefer: respond-async` and `Prefer: wait=N` (seconds). With both, the request waits N
 * seconds before the response becomes asynchronous (RFC 7240, section 4.3). The first of repeated
 * preferences counts; unknown ones are ignored.
 *
 * @throws AppError `invalid_request` when N is not a whole number of seconds.
 */
export function readPrefer(header: string | undefined, maxWaitMs: number): Preference {
  const { respondAsync, waitMs } = parsePrefer(header);
  return { waitMs: Math.min(waitMs ?? (respondAsync ? 0 : maxWaitMs), maxWaitMs) };
}

/**
 * Reads `Prefer: wait=N` (seconds) of a request that does not wait without it.
 *
 * @returns the wait in milliseconds; null without the preference.
 * @throws AppError `invalid_request` when N is not a whole number of seconds.
 */
export function readPreferredWait(header: string | undefined, maxWaitMs: number): number | null {
  const { waitMs } = parsePrefer(header);
  return waitMs === undefined ? null : Math.min(waitMs, maxWaitMs);
}

const wholeSeconds = /^(?=\d+$|"\d+"$)"?(\d{1,6})"?$/;

/** A preference that is read here, of a list. */
const ownPreference = /(?<=^|,)\s*(?:respond-async|wait)\s*(?:[=;][^,]*)?(?=,|$)/gi;

function parsePrefer(header: string | undefined): {
  readonly respondAsync: boolean;
  readonly waitMs: number | undefined;
} {
  let respondAsync = false;
  let waitMs: number | undefined;
  // A header has room for thousands of preferences; each different one of ours is read once.
  for (const preference of new Set(header?.match(ownPreference))) {
    const [name = "", value] = preference.split(";", 1)[0]?.split("=") ?? [];
    const token = name.trim().toLowerCase();
    if (token === "respond-async") respondAsync = true;
    if (token !== "wait") continue;
    const [, seconds = ""] = wholeSeconds.exec(value?.trim() ?? "") ?? [];
    if (seconds === "") {
      throw new AppError("invalid_request", "Prefer: wait= takes a whole number of seconds.", {
        details: [{ path: "Prefer", code: "invalid_format", message: "wait=<seconds>" }],
      });
    }
    waitMs ??= Number(seconds) * 1_000;
  }
  return { respondAsync, waitMs };
}
