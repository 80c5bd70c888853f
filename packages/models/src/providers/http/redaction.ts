const maxMessageLength = 300;

/**
 * Makes what a vendor wrote fit for a log: no key, no text of a client, at most 300 characters.
 *
 * Keys are found as they are, percent-encoded and in base64, texts as they are and as JSON has them.
 * Anything that looks like a key that a vendor shortened (`sk-ab***yz`) goes too: its last characters
 * are the key's.
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
    // A short text would take ordinary words out of the message.
    ...texts
      .filter((text) => text.length >= 8)
      .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]),
  ];
  return (message) => {
    let safe = message;
    for (const text of hidden) safe = safe.replaceAll(text, "…");
    safe = safe.replaceAll(/[\w-]*\*{3,}[\w*-]*/g, "…");
    return safe.length <= maxMessageLength ? safe : `${safe.slice(0, maxMessageLength)}…`;
  };
}
