/** Ways to write a word so that people or models still read it, undone. */

export function reversed(word: string): string {
  let turned = "";
  for (const character of word) turned = character + turned;
  return turned;
}

const aLower = 0x61;

/** Each letter a–z moved by 13: its own inverse. Other characters stay. */
export function rot13(word: string): string {
  let turned = "";
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at) - aLower;
    turned += code < 0 || code > 25 ? word[at] : String.fromCharCode(((code + 13) % 26) + aLower);
  }
  return turned;
}

/** Letters that stand on their heads, each before the one it shows; and those that show another. */
const upsideDown = new Map(
  Array.from("ɐaɔcǝeəeɟfɓgƃgɥhᴉiıiɾjʞkʃlɯmɹrʇtʌvʍwʎynuundppdbqqb".matchAll(/(..)/gu), ([pair]) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);
const beyondAscii = /[^\0-\u007F]/u;
const onlyUpsideDown = /[ɐɔǝəɟɓƃɥᴉɾʞʃɯɹʇʌʍʎ]/iu;

/** Whether a text has letters that are used to write upside down. */
export function hasTurnedLetters(text: string): boolean {
  return beyondAscii.test(text) && onlyUpsideDown.test(text);
}

/** Reads a text in lower case that is upside down. */
export function turnedOver(text: string): string {
  let turned = "";
  for (const character of text) turned = (upsideDown.get(character) ?? character) + turned;
  return turned;
}

const shortestBase64 = 6;
/** The kinds of ASCII characters in base64, as bits; 0 for characters outside of its alphabet. */
const base64Kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/u.test(character)) return 1;
  if (/[A-Z0-9]/u.test(character)) return 2;
  return /[+/]/u.test(character) ? 4 : 0;
});
const bothCases = 3;

/** Runs of base64 characters with small letters and others, and their padding. */
function base64Runs(text: string): string[] {
  const runs: string[] = [];
  let from = -1;
  let seen = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const kind = base64Kinds[text.charCodeAt(at)] ?? 0;
    if (kind !== 0) {
      if (from < 0) {
        from = at;
        seen = 0;
      }
      seen |= kind;
      continue;
    }
    if (from < 0) continue;
    if (at - from >= shortestBase64 && (seen & bothCases) === bothCases) {
      let end = at;
      while (end < at + 2 && text[end] === "=") end += 1;
      runs.push(text.slice(from, end));
    }
    from = -1;
  }
  return runs;
}
const readable = /^[\p{L}\p{M}\p{N}\s.,;:!?'"()-]*$/u;
const threeLetters = /\p{L}{3}/u;

/** Decodes the parts of a text that are readable text in base64, one per line. Empty without any. */
export function base64Text(text: string): string {
  const found: string[] = [];
  for (const run of base64Runs(text)) {
    const isWhole = run.includes("=") ? run.length % 4 === 0 : run.length % 4 !== 1;
    if (!isWhole) continue;
    // Bytes that are not UTF-8 become U+FFFD, which is not readable.
    const decoded = Buffer.from(run, "base64").toString("utf8");
    if (readable.test(decoded) && threeLetters.test(decoded)) found.push(decoded);
  }
  return found.join("\n");
}
