/** Limits on the structure of a JSON text. */
export type JsonLimits = Readonly<Record<"depth" | "values" | "members", number>>;

/** Limits on JSON texts; more than any single request of this API needs. */
export const jsonLimits = { depth: 64, values: 10_000, members: 2_000 } as const;

/** The structure of a JSON text, up to where the scan ended. */
export interface JsonScan {
  /** The exceeded limit; null when the text is within the limits. */
  readonly exceeds: keyof JsonLimits | null;
  /** Members of all objects; duplicate names count separately. */
  readonly members: number;
  /** Number of scanned bytes: the scan ends at the first exceeded limit. */
  readonly scannedBytes: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;

/**
 * Counts the values, the members and the nesting of a JSON text (RFC 8259) without parsing it: one
 * pass over the bytes, no allocation, and an early end. `JSON.parse` and traversing its result cost
 * many times as much per value, so a text that exceeds the limits is refused before either runs.
 *
 * @param bytes UTF-8. Text that is not valid JSON is counted as far as it resembles JSON.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): JsonScan {
  const { length } = bytes;
  let depth = 0;
  let tokens = 0;
  let members = 0;
  let exceeds: JsonScan["exceeds"] = null;
  let at = 0;
  while (at < length && exceeds === null) {
    const byte = bytes[at] ?? 0;
    at += 1;
    if (byte <= space || byte === comma) continue;
    if (byte === colon) {
      members += 1;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
    } else {
      tokens += 1;
      if (byte === quote) at = afterString(bytes, at);
      else if (byte === openBracket || byte === openBrace) depth += 1;
      else at = afterLiteral(bytes, at);
    }
    // Names of members are tokens but not values. The colon of the last name may not be read yet.
    if (depth > limits.depth) exceeds = "depth";
    else if (members > limits.members) exceeds = "members";
    else if (tokens - members > limits.values + 1) exceeds = "values";
  }
  if (exceeds === null && tokens - members > limits.values) exceeds = "values";
  return { exceeds, members, scannedBytes: at };
}

/** End of a string, from the byte after its opening quote. */
function afterString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}

/** End of a number, `true`, `false` or `null`, from the byte after its first one. */
function afterLiteral(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= space || byte === comma || byte === colon || byte === quote) break;
    if (byte === openBracket || byte === closeBracket) break;
    if (byte === openBrace || byte === closeBrace) break;
  }
  return at;
}
