/**
 * Writes a value as JSON that a `jsonb` column stores. Postgres refuses U+0000 and unpaired surrogates,
 * which a provider's response may contain; each becomes U+FFFD. Of names
 * that become equal, the last one is kept.
 */
export function jsonText(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "string") return storableText(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const names = Object.keys(part);
    if (names.every(isStorable)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [storableText(name), inner]),
    );
  });
}

/** Whether Postgres stores a text: it is well-formed and has no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\uFFFD");
}
