/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5) + percentile(values, 0.5, Math.ceil)) / 2;
}

/** Returns the value below which this share of the values lies. */
export function percentile(
  values: readonly number[],
  share: number,
  round: (index: number) => number = Math.floor,
): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[round((sorted.length - 1) * share)] ?? Number.NaN;
}
