import { readFileSync, writeFileSync } from "node:fs";

/**
 * Writes data/confusables.txt: every character that Unicode's confusables.txt (UTS #39) maps to Latin
 * letters, grouped by those letters.
 *
 *   npm pack unhomoglyph@1.0.6 && tar xzf unhomoglyph-1.0.6.tgz
 *   node packages/moderation/generate/confusables.ts package/data.json
 *
 * The npm package ships the mapping of confusables.txt 13.0.0 as JSON (source to prototype). ASCII
 * sources are left out (`0` and `1` are read as leet), and so are characters that NFKC already makes
 * Latin.
 */
const [source = ""] = process.argv.slice(2);
const mapping = JSON.parse(readFileSync(source, "utf8")) as Record<string, string>;

const byLetters = new Map<string, string[]>();
for (const [character, prototype] of Object.entries(mapping)) {
  const isSingle = Array.from(character).length === 1;
  if (!isSingle || character < "\u0080" || /[A-Za-z]/u.test(character.normalize("NFKC"))) continue;
  // The prototype of "m" is "rn".
  const letters = prototype.normalize("NFKD").replace(/\p{M}/gu, "").replace(/rn/gu, "m");
  if (!/^[A-Za-z]{1,3}$/u.test(letters) || /\p{M}|\p{N}/u.test(character)) continue;
  byLetters.set(letters, [...(byLetters.get(letters) ?? []), character]);
}
const lines = [...byLetters]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([letters, characters]) => `${letters} ${characters.sort().join("")}`);
writeFileSync(new URL("../data/confusables.txt", import.meta.url), `${lines.join("\n")}\n`);
