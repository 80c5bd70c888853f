/**
 * Amounts are integer micro-EUR (millionths of a euro) in a bigint. The API and the commands convert
 * them from and to text with these functions.
 */

const microPerEur = 1_000_000n;

/** Formats an amount as a decimal with 2 to 6 decimals: 40000n → "0.04", 9962500n → "9.9625". */
export function formatEur(microEur: bigint): string {
  const sign = microEur < 0n ? "-" : "";
  const absolute = microEur < 0n ? -microEur : microEur;
  const fraction = (absolute % microPerEur)
    .toString()
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${sign}${absolute / microPerEur}.${fraction}`;
}

/**
 * Parses a non-negative decimal with up to 6 decimals: "10" → 10000000n.
 *
 * @throws RangeError if the text has any other format.
 */
export function parseEur(text: string): bigint {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) {
    throw new RangeError(`"${text}" is not an amount in EUR such as 10 or 0.25`);
  }
  const [, euros = "0", fraction = ""] = match;
  return BigInt(euros) * microPerEur + BigInt(fraction.padEnd(6, "0"));
}
