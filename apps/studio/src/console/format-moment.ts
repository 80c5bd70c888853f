import { formatTime } from "../format.ts";
import { texts } from "../texts/console.ts";

/** A date and time, or "Never" for null. */
export function formatMoment(timestamp: string | null): string {
  return timestamp === null ? texts.console.never : formatTime(timestamp);
}

/** The zone of all dates and times of the pages: that of the browser. */
export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
