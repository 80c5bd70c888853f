/** Whether a text has the words of a style. */
export function hasStyle(text: string, words: string): boolean {
  return text.includes(words);
}

/** Adds the words of a style to the end of a text. */
export function withStyle(text: string, words: string): string {
  const own = text.trimEnd();
  if (own === "") return words;
  return `${own}${/[.!?\u2026:;,]$/.test(own) ? "" : ","} ${words}`;
}

/** Removes the words of a style from a text, with the comma before them. */
export function withoutStyle(text: string, words: string): string {
  const start = text.lastIndexOf(words);
  if (start === -1) return text;
  const [before, after] = [text.slice(0, start), text.slice(start + words.length)];
  const end = [", ", " "].find((separator) => before.endsWith(separator)) ?? "";
  const own = before.slice(0, before.length - end.length);
  return own === "" ? after.replace(/^[,\s]{1,2}/, "") : own + after;
}
