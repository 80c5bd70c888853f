/** Folds a text: lower case, without accents, ß as ss, so that one spelling covers all variants. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "");
}

/** The words of a list. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

const irregular: Readonly<Record<string, string>> = {
  mice: "mouse",
  geese: "goose",
  men: "man",
  women: "woman",
  children: "child",
  people: "person",
  wolves: "wolf",
  leaves: "leaf",
  knives: "knife",
  loaves: "loaf",
  calves: "calf",
  elves: "elf",
  oxen: "ox",
  feet: "foot",
  dwarves: "dwarf",
  autumn_leaves: "autumn_leaf",
  fallen_leaves: "fallen_leaf",
  baume: "baum",
  hauser: "haus",
  schafe: "schaf",
  hunde: "hund",
  vogel: "vogel",
  boote: "boot",
  freunde: "freund",
  pferde: "pferd",
};

/** Endings of plurals and of their singulars, folded. */
const romancePlurals: readonly (readonly [string, string])[] = [
  // Italian: barche, laghi.
  ["che", "ca"],
  ["ghe", "ga"],
  ["chi", "co"],
  ["ghi", "go"],
  // French: chevaux, bateaux.
  ["aux", "al"],
  ["eaux", "eau"],
  // Spanish: peces.
  ["ces", "z"],
  // Portuguese: aviões, cães, jornais, trens.
  ["oes", "ao"],
  ["aes", "ao"],
  ["ais", "al"],
  ["ns", "m"],
];

/** Returns the word itself and its possible singulars, most likely first. */
export function singulars(word: string): string[] {
  const forms = [word];
  const known = Object.hasOwn(irregular, word) ? irregular[word] : undefined;
  if (known !== undefined) forms.push(known);
  if (word.length > 3) {
    if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
    if (/(?:ch|sh|s|x|z|o|[lnrd])es$/u.test(word)) forms.push(word.slice(0, -2));
    if (word.endsWith("s") && !word.endsWith("ss")) forms.push(word.slice(0, -1));
    // Italian: gatti, alberi; not -e, which would turn "case" into a house.
    if (word.endsWith("i")) forms.push(`${word.slice(0, -1)}o`, `${word.slice(0, -1)}e`);
    for (const [plural, singular] of romancePlurals) {
      if (word.endsWith(plural)) forms.push(word.slice(0, -plural.length) + singular);
    }
    if (word.endsWith("en") && word.length > 5) forms.push(word.slice(0, -1), word.slice(0, -2));
  }
  return forms;
}

/** True if the word is known only as a plural. */
export function isPlural(word: string, singularKnown: (form: string) => boolean): boolean {
  if (singularKnown(word)) return Object.hasOwn(irregular, word) && irregular[word] !== word;
  return true;
}
