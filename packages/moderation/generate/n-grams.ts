import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { languageCodes } from "../src/language/language-codes.ts";
import { encodeNGrams, nGramKey, positions, wordBegin, wordEnd } from "../src/language/n-grams.ts";

/**
 * Writes data/language-n-grams.bin from the database `medium` of the package `eld` (Apache-2.0).
 *
 *   npm pack eld@2.1.0 && tar xzf eld-2.1.0.tgz
 *   node packages/moderation/generate/n-grams.ts package
 *
 * The package writes each byte of a sequence as a character of its own, and a space where a word begins
 * or ends.
 */
const [folder = ""] = process.argv.slice(2);
const root = new URL(`${pathToFileURL(folder).href}/src/`);
const { ngramsData } = (await import(new URL("ngrams/medium.js", root).href)) as {
  ngramsData: {
    readonly languages: Readonly<Record<string, string>>;
    readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
};
const { dictionary } = (await import(new URL("dictionary.js", root).href)) as {
  dictionary: Readonly<Record<string, string>>;
};

if (Object.values(ngramsData.languages).join() !== languageCodes.join()) {
  throw new Error("The package has other languages. Change src/language/language-codes.ts.");
}

const byteOf = new Map(Object.entries(dictionary).map(([byte, sign]) => [sign, Number(byte)]));
const sections = Array.from({ length: positions }, () => new Map<number, [number, number][]>());
for (const [sequence, byLanguage] of Object.entries(ngramsData.ngrams)) {
  const position =
    (sequence.startsWith(" ") ? wordBegin : 0) + (sequence.endsWith(" ") ? wordEnd : 0);
  const bytes = Array.from(sequence.trim(), (sign) => byteOf.get(sign) ?? 0);
  const key = nGramKey(bytes, 0, bytes.length);
  const section = sections[position];
  if (bytes.length > 4 || bytes.includes(0) || section === undefined || section.has(key)) {
    throw new Error(`The sequence "${sequence}" cannot be read.`);
  }
  section.set(
    key,
    Object.entries(byLanguage).map(([language, score]) => [Number(language), score]),
  );
}

const sorted = sections.map((section) => [...section].sort(([a], [b]) => a - b));
const rows = sorted.flat();
const starts = sorted.map((_, at) =>
  sorted.slice(0, at).reduce((sum, section) => sum + section.length, 0),
);
const file = encodeNGrams({
  keys: Uint32Array.from(rows, ([key]) => key),
  firstKeys: Uint32Array.of(...starts, rows.length),
  counts: Uint8Array.from(rows, ([, found]) => found.length),
  languages: Uint8Array.from(rows.flatMap(([, found]) => found.map(([language]) => language))),
  scores: Uint8Array.from(rows.flatMap(([, found]) => found.map(([, score]) => score))),
});
writeFileSync(new URL("../data/language-n-grams.bin", import.meta.url), file);
