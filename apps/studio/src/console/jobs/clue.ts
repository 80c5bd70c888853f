import { readHash } from "../../ui/use-transfers.ts";

/** One clue to jobs, as in the query of `GET /admin/v1/jobs`. */
export type Clue =
  | { readonly job: string }
  | { readonly request_id: string }
  | { readonly sha256: string }
  | { readonly from: string; readonly to: string };

/** Before and after a time that was entered, in milliseconds. */
const marginMs = 5 * 60_000;
const dayMs = 86_400_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const time = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z?))?$/;

/**
 * Reads what a text may be: an id of a job, of a request or of a batch, a SHA-256, a day, or a time, which is local
 * unless it ends in Z.
 *
 * @returns the clues to try in turn; ids of jobs and of requests may look the same.
 */
export function readClues(text: string): readonly Clue[] {
  const sha256 = readHash(text);
  if (sha256 !== null) return [{ sha256 }];
  if (uuid.test(text)) return [{ job: text }, { request_id: text }];
  const [, year, month, day, hour, minute, zone] = time.exec(text) ?? [];
  if (year === undefined) return [{ request_id: text }];
  const parts = [Number(year), Number(month) - 1, Number(day)] as const;
  const clock = [Number(hour ?? 0), Number(minute ?? 0)] as const;
  const at = zone === "Z" ? Date.UTC(...parts, ...clock) : new Date(...parts, ...clock).getTime();
  const [from, to] = hour === undefined ? [at, at + dayMs] : [at - marginMs, at + marginMs];
  return [{ from: new Date(from).toISOString(), to: new Date(to).toISOString() }];
}

/** Whether a text may narrow the jobs of an account: a day, a time, or nothing. */
export function isTime(text: string): boolean {
  return text === "" || readClues(text).some((clue) => "from" in clue);
}
