/**
 * Money is a whole number of micro-EUR (millionths of a euro) in a bigint, everywhere but at the
 * edges, where it is text.
 */

const microPerEur = 1_000_000n;

/** Plain decimal with 2 to 6 decimals: 40000n → "0.04", 9962500n → "9.9625". */
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
 * Reads a plain decimal with up to 6 decimals: "10" → 10000000n.
 *
 * @throws RangeError when the text is anything else.
 */
export function parseEur(text: string): bigint {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) {
    throw new RangeError(`"${text}" is not an amount in EUR such as 10 or 0.25`);
  }
  const [, whole = "0", fraction = ""] = match;
  return BigInt(whole) * microPerEur + BigInt(fraction.padEnd(6, "0"));
}
