import { readFileSync } from "node:fs";

/**
 * Letters drawn like Latin ones that UTS #39 does not list: small capitals, and Cyrillic, Greek and
 * Armenian letters that are used for them all the same. Same format as data/confusables.txt.
 */
const alsoUsed = `
a ᴀ
b ьвƅʙ
c ςͻ
d ᴅժð
e єεᴇɛɘэ
f ꜰϝ
g ɢԍ
h ʜн
i ӏ
j ᴊյ
k кκᴋқ
l ʟⱡ
m мᴍ
n пɴиҋ
p ᴘƿ
r ʀɾя
s ƨ
t тτᴛ
u ʊцմ
w ωш
x χ
E ЄЭ
H Հ
I ІΙӀ
N И
R Я
U Ц
W ШΩ
`;

/** First code point of each alphabet of enclosed letters that NFKC keeps, A to Z in order. */
const enclosedAlphabets = [0x1f150, 0x1f170, 0x1f1e6];

function readTable(): ReadonlyMap<string, string> {
  const generated = readFileSync(new URL("../../data/confusables.txt", import.meta.url), "utf8");
  const table = new Map<string, string>();
  for (const line of `${generated}${alsoUsed}`.split("\n")) {
    const [latin = "", others = ""] = line.split(" ");
    for (const letter of others) table.set(letter, latin);
  }
  return table;
}

const table = readTable();

/** The Latin letters that a character is drawn like (UTS #39), or undefined. */
export function toLatin(character: string): string | undefined {
  const known = table.get(character);
  if (known !== undefined) return known;
  const point = character.codePointAt(0) ?? 0;
  const first = enclosedAlphabets.find((start) => point >= start && point < start + 26);
  return first === undefined ? undefined : String.fromCodePoint(0x41 + point - first);
}
