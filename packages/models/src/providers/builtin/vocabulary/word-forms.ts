/** Lower case, without accents, ß as ss: so that one spelling stands for all. */
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
  chevaux: "cheval",
  oiseaux: "oiseau",
  bateaux: "bateau",
  chateaux: "chateau",
};

/** The word itself and the singulars it may be the plural of, most likely first. */
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
    if (word.endsWith("en") && word.length > 5) forms.push(word.slice(0, -1), word.slice(0, -2));
  }
  return forms;
}

/** True when the word is only known as a plural. */
export function isPlural(word: string, singularKnown: (form: string) => boolean): boolean {
  if (singularKnown(word)) return Object.hasOwn(irregular, word) && irregular[word] !== word;
  return true;
}
