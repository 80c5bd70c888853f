/** Creation time of a UUIDv7 (RFC 9562, section 5.7), in milliseconds; null for any other text. */
export function timeOfId(id: string): number | null {
  const [, high, low] =
    /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id) ?? [];
  return high === undefined ? null : Number.parseInt(`${high}${low}`, 16);
}
