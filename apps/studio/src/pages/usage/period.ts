/** A range of days (UTC), both included, as `YYYY-MM-DD`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

/** The periods that can be chosen by one click, in days up to today. */
export const presets = ["7", "30", "90", "365"] as const;

/** The last days up to a time. */
function lastDays(count: number, now: number): Period {
  return { from: toDay(now - (count - 1) * dayMs), to: toDay(now) };
}

/** The days of a period. A period that ends before it begins has none. */
export function daysOf({ from, to }: Period): readonly string[] {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / dayMs) + 1;
  return Array.from({ length: Math.max(count, 0) || 0 }, (_, index) =>
    toDay(first + index * dayMs),
  );
}

/**
 * Reads the period of an address: `from` and `to`, or `days` up to now if one of them is not a day.
 *
 * @returns `days` is null for a period of its own.
 */
export function readPeriod(
  search: URLSearchParams,
  now: number,
): Period & { readonly days: (typeof presets)[number] | null } {
  const from = search.get("from");
  const to = search.get("to");
  if (isDay(from) && isDay(to)) return { from, to, days: null };
  const days = presets.find((preset) => preset === search.get("days")) ?? "30";
  return { ...lastDays(Number(days), now), days };
}

function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
