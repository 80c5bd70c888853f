const hoursPerDay = 24;

/** A time in hours in words, from two days on in days: "24 hours", "30 days". */
export function formatRetention(hours: number, language: string): string {
  const isDays = hours >= 2 * hoursPerDay && hours % hoursPerDay === 0;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: isDays ? "day" : "hour",
    unitDisplay: "long",
  }).format(isDays ? hours / hoursPerDay : hours);
}
