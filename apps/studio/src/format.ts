import { locale } from "./language.ts";

/** An amount in EUR, of a decimal such as "0.04". */
export function formatEur(amount: string | number): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(Number(amount));
}

/** A size of a file in kB or MB, of a number of bytes. */
export function formatBytes(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: isLarge ? "megabyte" : "kilobyte",
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(bytes / (isLarge ? 1_000_000 : 1_000));
}

/** A duration in seconds with one decimal. */
export function formatSeconds(seconds: number): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "second",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(Math.max(seconds, 0));
}

/** A wait in whole seconds, or in minutes from two minutes on. */
export function formatWait(seconds: number): string {
  const isLong = seconds >= 120;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: isLong ? "minute" : "second",
    unitDisplay: "long",
    maximumFractionDigits: 0,
  }).format(isLong ? Math.ceil(seconds / 60) : Math.max(seconds, 1));
}

/** A date and time, of an ISO timestamp. */
export function formatTime(timestamp: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(timestamp),
  );
}

/** A date and time with seconds, of an ISO timestamp. */
export function formatExactTime(timestamp: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }).format(
    new Date(timestamp),
  );
}

/** A date without a time, of an ISO timestamp. */
export function formatDay(timestamp: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(new Date(timestamp));
}

/** A calendar day without a time zone, such as `2026-11-23`. */
export function formatDate(day: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(day),
  );
}

/** A part of a whole in whole percent, such as 0.5. */
export function formatPercent(part: number): string {
  return new Intl.NumberFormat(locale, { style: "percent" }).format(part);
}

/** A number with at most three decimals. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}
