/** Ways to disguise a text, each as its name and what it does to it. */

const leet: Readonly<Record<string, string>> = { a: "4", e: "3", i: "1", o: "0", s: "5", t: "7" };
const cyrillic: Readonly<Record<string, string>> = {
  a: "а",
  e: "е",
  o: "о",
  c: "с",
  p: "р",
  x: "х",
};
const turned: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("aɐbqcɔdpeǝfɟgƃhɥiᴉjɾkʞlʃmɯnuoopdqbrɹtʇunvʌwʍyʎ".matchAll(/(.)(.)/gu), ([, a, b]) => [
    a,
    b,
  ]),
) as Record<string, string>;

/** Words of five letters and more, each changed. */
function eachWord(text: string, change: (word: string) => string): string {
  return text.replace(/\p{L}{5,}/gu, change);
}

function mapLetters(text: string, table: Readonly<Record<string, string>>): string {
  return Array.from(text, (letter) => table[letter] ?? letter).join("");
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const rotate = (letter: string): string => {
  const base = letter < "a" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
};

export const disguises: Readonly<Record<string, (text: string) => string>> = {
  leet: (text) => mapLetters(text, leet),
  cyrillic: (text) => mapLetters(text, cyrillic),
  dots: (text) => eachWord(text, (word) => Array.from(word).join(".")),
  hyphens: (text) => eachWord(text, (word) => Array.from(word).join("-")),
  "spaced letters": (text) => eachWord(text, (word) => ` ${Array.from(word).join(" ")} `),
  "one space": (text) => eachWord(text, (word) => `${word.slice(0, 2)} ${word.slice(2)}`),
  joined: (text) => text.replaceAll(" ", ""),
  CamelCase: (text) => text.split(" ").map(capital).join(""),
  swapped: (text) =>
    eachWord(
      text,
      (word) => `${word.slice(0, 2)}${word.charAt(3)}${word.charAt(2)}${word.slice(4)}`,
    ),
  dropped: (text) => eachWord(text, (word) => `${word.slice(0, 3)}${word.slice(4)}`),
  doubled: (text) => eachWord(text, (word) => word.replace(/[aeiou]/u, "$&$&$&")),
  asterisks: (text) => eachWord(text, (word) => word.replace(/(?<=.)[aeiou]/u, "*")),
  reversed: (text) => Array.from(text).toReversed().join(""),
  "upside down": (text) => Array.from(mapLetters(text, turned)).toReversed().join(""),
  base64: (text) => Buffer.from(text).toString("base64"),
  rot13: (text) => text.replace(/[A-Za-z]/gu, rotate),
  "zero width": (text) => eachWord(text, (word) => Array.from(word).join("\u200B")),
};
