/**
 * Escapes characters that a terminal or browser obeys instead of showing them: controls, such as those of
 * escape sequences, and characters that end a line or reorder the text around them. A JSON text stays
 * equal. Joiners, as inside of emoji, stay.
 *
 * @param options.keeps characters that stay. Default: tab and line feed.
 */
export function escapeControls(text: string, { keeps = "\t\n" } = {}): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    keeps.includes(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
