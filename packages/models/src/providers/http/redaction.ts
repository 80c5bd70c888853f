const maxMessageLength = 300;

/**
 * Creates a function that prepares a vendor's message for the log: it removes keys and client texts
 * and truncates the message to 300 characters.
 *
 * Keys are matched verbatim, percent-encoded and in base64; texts verbatim and JSON-escaped. Masked
 * keys (`sk-ab***yz`) are removed as well, since they show the key's last characters.
 */
export function createRedaction(
  secrets: readonly string[],
  texts: readonly string[] = [],
): (message: string) => string {
  const keys = secrets.filter((secret) => secret !== "");
  const hidden = [
    ...keys.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ]),
    // Matching short texts would remove ordinary words from the message.
    ...texts
      .filter((text) => text.length >= 8)
      .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]),
  ];
  return (message) => {
    let safe = message;
    for (const text of hidden) safe = safe.replaceAll(text, "…");
    safe = safe.replaceAll(/(?<![\w-])[\w-]*\*{3,}[\w*-]*/g, "…");
    return safe.length <= maxMessageLength ? safe : `${safe.slice(0, maxMessageLength)}…`;
  };
}
