import { existsSync, readFileSync } from "node:fs";
import type { LanguageCode } from "../src/language/language-codes.ts";
import { expandHunspell } from "./hunspell.ts";

/** A word list in the folder of packages; see data/ordinary/README.md for the licences. */
export type Source =
  | {
      readonly kind: "hunspell";
      readonly aff: string;
      readonly dic: string;
      /** Bounds the forms of one word in languages with many affixes. */
      readonly mostForms: number;
      /** Particles that are written as a prefix of any word. */
      readonly particles: readonly string[];
    }
  | { readonly kind: "lines"; readonly file: string }
  /** The function words of stopwords-iso, by the code that it uses. */
  | { readonly kind: "stopwords"; readonly code: string }
  /** The names and keywords of emoji and symbols in CLDR. */
  | { readonly kind: "annotations"; readonly code: string };

const npmDictionary = (name: string, mostForms = 3_000): Source => ({
  kind: "hunspell",
  particles: [],
  mostForms,
  aff: `node_modules/dictionary-${name}/index.aff`,
  dic: `node_modules/dictionary-${name}/index.dic`,
});
/** The article, "and", "for", "with" and "like", which the dictionary has only behind many other forms. */
const arabicParticles = "ال وال بال كال فال لل ولل و ف ب ل ك".split(" ");

const debianDictionary = (
  name: string,
  mostForms = 3_000,
  particles: readonly string[] = [],
): Source => ({
  kind: "hunspell",
  particles,
  mostForms,
  aff: `usr/share/hunspell/${name}.aff`,
  dic: `usr/share/hunspell/${name}.dic`,
});
const snowball = (name: string): Source => ({
  kind: "lines",
  file: `usr/share/snowball/data/${name}/voc.txt`,
});
const debianList = (name: string): Source => ({ kind: "lines", file: `usr/share/dict/${name}` });
const stopwords = (code: string): Source => ({ kind: "stopwords", code });
const annotations = (code: string): Source => ({ kind: "annotations", code });

/** The word lists of each language, by its code in `language-codes.ts`. */
export const ordinarySources: Readonly<Partial<Record<LanguageCode, readonly Source[]>>> = {
  ar: [debianDictionary("ar", 100, arabicParticles), stopwords("ar"), annotations("ar")],
  be: [annotations("be")],
  bg: [stopwords("bg"), annotations("bg")],
  ca: [stopwords("ca"), annotations("ca")],
  cs: [stopwords("cs"), annotations("cs")],
  da: [npmDictionary("da"), snowball("danish"), stopwords("da"), annotations("da")],
  de: [snowball("german"), stopwords("de"), annotations("de")],
  el: [npmDictionary("el", 300), stopwords("el"), annotations("el")],
  en: [
    debianList("american-english-large"),
    npmDictionary("en"),
    snowball("english"),
    stopwords("en"),
    annotations("en"),
  ],
  es: [
    npmDictionary("es"),
    debianList("spanish"),
    snowball("spanish"),
    stopwords("es"),
    annotations("es"),
  ],
  et: [stopwords("et"), annotations("et")],
  eu: [stopwords("eu"), annotations("eu")],
  fa: [npmDictionary("fa"), stopwords("fa"), annotations("fa")],
  fi: [snowball("finnish"), stopwords("fi"), annotations("fi")],
  fr: [npmDictionary("fr"), stopwords("fr"), annotations("fr")],
  hr: [
    debianDictionary("bs_BA"),
    npmDictionary("sr-latn"),
    stopwords("hr"),
    annotations("hr"),
    annotations("bs"),
  ],
  hu: [npmDictionary("hu", 20), snowball("hungarian"), stopwords("hu"), annotations("hu")],
  is: [annotations("is")],
  it: [snowball("italian"), stopwords("it"), annotations("it")],
  lt: [npmDictionary("lt", 30), stopwords("lt"), annotations("lt")],
  lv: [stopwords("lv"), annotations("lv")],
  ms: [stopwords("id"), stopwords("ms"), annotations("id"), annotations("ms")],
  nl: [
    npmDictionary("nl"),
    debianList("dutch"),
    snowball("dutch"),
    stopwords("nl"),
    annotations("nl"),
  ],
  no: [snowball("norwegian"), stopwords("no"), annotations("no")],
  pl: [debianList("polish"), stopwords("pl"), annotations("pl")],
  pt: [npmDictionary("pt", 300), snowball("portuguese"), stopwords("pt"), annotations("pt")],
  ro: [npmDictionary("ro"), snowball("romanian"), stopwords("ro"), annotations("ro")],
  ru: [npmDictionary("ru"), snowball("russian"), stopwords("ru"), annotations("ru")],
  sk: [npmDictionary("sk"), stopwords("sk"), annotations("sk")],
  sl: [stopwords("sl"), annotations("sl")],
  sq: [annotations("sq")],
  sr: [npmDictionary("sr", 20), annotations("sr")],
  sv: [snowball("swedish"), stopwords("sv"), annotations("sv")],
  tl: [stopwords("tl"), annotations("fil")],
  tr: [npmDictionary("tr"), snowball("turkish"), stopwords("tr"), annotations("tr")],
  uk: [debianDictionary("uk_UA"), stopwords("uk"), annotations("uk")],
  ur: [stopwords("ur"), annotations("ur")],
  vi: [stopwords("vi"), annotations("vi")],
};

/** Passes every word or phrase of a source to `add`. */
export function readSource(source: Source, folder: string, add: (phrase: string) => void): void {
  switch (source.kind) {
    case "hunspell": {
      const aff = readFileSync(`${folder}/${source.aff}`);
      const encoding = /^SET\s+(\S+)/mu.exec(aff.toString("latin1"))?.[1] ?? "ISO8859-1";
      const decoder = new TextDecoder(encoding.replace(/^ISO8859/u, "ISO-8859"));
      const dic = decoder.decode(readFileSync(`${folder}/${source.dic}`));
      expandHunspell(decoder.decode(aff), dic, source.mostForms, add);
      for (const line of source.particles.length === 0 ? [] : dic.split("\n").slice(1)) {
        const stem = line.replace(/[/\s].*/su, "");
        for (const particle of source.particles) add(particle + stem);
      }
      return;
    }
    case "lines":
      for (const line of readFileSync(`${folder}/${source.file}`, "utf8").split("\n")) add(line);
      return;
    case "stopwords": {
      const file = `${folder}/node_modules/stopwords-iso/stopwords-iso.json`;
      const words = JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>;
      for (const word of words[source.code] ?? []) add(word);
      return;
    }
    case "annotations":
      readAnnotations(`${folder}/node_modules/cldr-annotations-full`, source.code, add);
  }
}

/** Keywords and names of the symbols of a language. */
function readAnnotations(root: string, code: string, add: (phrase: string) => void): void {
  const file = `${root}/annotations/${code}/annotations.json`;
  if (!existsSync(file)) throw new Error(`CLDR has no annotations in "${code}".`);
  const { annotations: all } = (
    JSON.parse(readFileSync(file, "utf8")) as {
      annotations: {
        annotations: Record<string, { default?: readonly string[]; tts?: readonly string[] }>;
      };
    }
  ).annotations;
  for (const { default: keywords = [], tts = [] } of Object.values(all)) {
    for (const phrase of [...keywords, ...tts]) add(phrase);
  }
}
