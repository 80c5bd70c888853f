/** Languages of the vocabulary; `any` holds names, signs and codes that belong to none. */
export const languages = [
  "any",
  "ar",
  "de",
  "en",
  "es",
  "fr",
  "it",
  "ja",
  "ko",
  "nl",
  "pl",
  "pt",
  "ru",
  "tr",
  "uk",
  "zh",
] as const;
export type Language = (typeof languages)[number];

const lists: Readonly<Partial<Record<Language, string>>> = {
  en: "s es d ed er ers ing ings ly ness y ies ied e t ce ic ion ions ation ations ure ence ent",
  de: "e en er es em n s st t te ten tem tes ter et end ende enden ender endes in innen ung ungen chen lein ern",
  fr: "e s es x ent er ez ait ant ante ants antes ee ees ement ements eur eurs euse euses rice aux al ale ales",
  es: "o a os as e es s ito ita itos itas ar er ir ando iendo ado ada ados adas ido ida idos idas an en n mente or ora ores oras ion iones",
  it: "o a i e he hi ino ina ini ine ato ata ati ate ito ita iti ite uto uta uti ute ando endo are ere ire ano ono mente ore ori rice one oni",
  pt: "o a os as e es s inho inha inhos inhas ar er ir ando endo indo ado ada ados adas ido ida idos idas am em mente or ora ores oras ao oes",
  nl: "e en s er ers eren t te ten d de den end ende je jes tje tjes pje pjes ing ingen",
};

/** Longest ending of languages that inflect too richly for a list. */
const longest: Readonly<Partial<Record<Language, number>>> = { ar: 4, pl: 5, ru: 5, uk: 5, tr: 12 };

const sets = new Map<Language, ReadonlySet<string>>();
for (const language of languages) {
  const list = lists[language];
  if (list !== undefined) sets.set(language, new Set(list.split(" ")));
}

/** Letters that Turkish suffixes begin with, without diacritics. */
const turkishSuffix = /^[aeioulmdtsnyckgr]/u;

/** Whether a stem of a language may be followed by these letters. */
export function isEnding(letters: string, language: Language): boolean {
  if (letters === "") return true;
  const limit = longest[language];
  if (limit !== undefined) {
    return letters.length <= limit && (language !== "tr" || turkishSuffix.test(letters));
  }
  return sets.get(language)?.has(letters) ?? false;
}
