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

/** Dates as ISO 8601 writes them, and as the pages print them in German and in the regions of English. */
const dates = [
  /^(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?)/,
  /^(?<day>\d\d?)\. ?(?<month>\d\d?)\. ?(?<year>\d{4})/,
  /^(?<day>\d\d?)[ -](?<month>[a-z]{3,9})\.?[ -](?<year>\d{4})/i,
  /^(?<month>[a-z]{3,9})\.? (?<day>\d\d?),? (?<year>\d{4})/i,
];
const clock =
  /^(?:,? |T)(?<hour>\d\d?)[:.](?<minute>\d\d)(?:[:.]\d\d(?:\.\d+)?)?(?: ?(?<half>[ap])\.?m\.?)?(?<zone>Z?)$/i;
const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/**
 * Reads what a text may be: an id of a job, of a request or of a batch, a SHA-256, a day, or a time.
 *
 * @param timeZone IANA name of the zone of days, and of times that do not end in Z.
 * @returns the clues to try in turn, since ids of jobs and of requests may look the same; none for a date that does not
 *   exist.
 */
export function readClues(text: string, timeZone: string): readonly Clue[] {
  const sha256 = readHash(text);
  if (sha256 !== null) return [{ sha256 }];
  if (uuid.test(text)) return [{ job: text }, { request_id: text }];
  const moment = readMoment(text);
  if (moment === null) return [{ request_id: text }];
  const { at, isDay, isUtc } = moment;
  if (at === null) return [];
  const zone = isUtc ? "UTC" : timeZone;
  const times = instantsOf(at, zone);
  const [from, to] = isDay
    ? [Math.min(...times), Math.min(...instantsOf(at + dayMs, zone))]
    : [Math.min(...times) - marginMs, Math.max(...times) + marginMs];
  return [{ from: new Date(from).toISOString(), to: new Date(to).toISOString() }];
}

/** Whether a text may narrow the jobs of an account: a day, a time, or nothing. */
export function isTime(text: string): boolean {
  return text === "" || readMoment(text) !== null;
}

/** A day or a time of a clock. */
interface Moment {
  /** In milliseconds as if the clock showed UTC; null if no calendar or clock has it. */
  readonly at: number | null;
  readonly isDay: boolean;
  readonly isUtc: boolean;
}

/** Reads a text of the form of a date or of a date with a time; null for others. */
function readMoment(given: string): Moment | null {
  const text = given.replaceAll(/\s+/g, " ").trim();
  const date = dates.map((form) => form.exec(text)).find((match) => match !== null);
  const { year = "", month = "", day = "" } = date?.groups ?? {};
  const index = /^\d/.test(month)
    ? Number(month) - 1
    : months.findIndex((name) => name.startsWith(month.toLowerCase()));
  if (date === undefined || (index === -1 && !/^\d/.test(month))) return null;
  const rest = text.slice(date[0].length);
  const time = clock.exec(rest)?.groups;
  if (rest !== "" && time === undefined) return null;
  const { hour: entered = "0", minute = "0", half = "", zone = "" } = time ?? {};
  const hour = half === "" ? Number(entered) : (Number(entered) % 12) + (/p/i.test(half) ? 12 : 0);
  const at = Date.UTC(Number(year), index, Number(day), hour, Number(minute));
  const exists =
    // The service has no jobs of other years.
    year >= "1970" &&
    year < "9999" &&
    new Date(at)
      .toISOString()
      .startsWith(`${year}-${two(index + 1)}-${two(day)}T${two(hour)}:${two(minute)}`) &&
    (half === "" || (Number(entered) >= 1 && Number(entered) <= 12));
  return { at: exists ? at : null, isDay: time === undefined, isUtc: zone !== "" };
}

const two = (part: number | string) => String(part).padStart(2, "0");

/**
 * When the clocks of a zone show a time: twice in the hour that is repeated when they are set back. A time that they
 * skip is that of a clock that was not set forward.
 */
function instantsOf(at: number, timeZone: string): readonly number[] {
  const shown = [at - dayMs, at + dayMs].map((near) => at - (shownAt(near, timeZone) - near));
  const valid = shown.filter((instant) => shownAt(instant, timeZone) === at);
  return valid.length > 0 ? valid : [Math.max(...shown)];
}

/** Reads the clocks of a zone at a time, in milliseconds as if it were UTC. */
function shownAt(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("sv", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return Date.parse(`${format.format(instant).replace(" ", "T")}Z`);
}
