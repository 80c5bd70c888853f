/** "Child", "children", "boy" and "girl" by the name of a word list's file. */
export const childWords: Readonly<Record<string, readonly string[]>> = {
  ar: ["طفل", "أطفال", "ولد", "بنت"],
  bg: ["дете", "деца", "момче", "момиче"],
  bn: ["শিশু", "শিশুরা", "ছেলে", "মেয়ে"],
  bs: ["dijete", "djeca", "dječak", "djevojčica"],
  ca: ["nen", "nens", "noi", "nena"],
  cs: ["dítě", "děti", "kluk", "holka"],
  da: ["barn", "børn", "dreng", "pige"],
  de: ["Kind", "Kinder", "Junge", "Mädchen"],
  el: ["παιδί", "παιδιά", "αγόρι", "κορίτσι"],
  en: ["child", "children", "boy", "girl"],
  es: ["niño", "niños", "chico", "niña"],
  et: ["laps", "lapsed", "poiss", "tüdruk"],
  eu: ["ume", "umeak", "mutil", "neska"],
  fa: ["بچه", "بچه‌ها", "پسر", "دختر"],
  fi: ["lapsi", "lapset", "poika", "tyttö"],
  fr: ["enfant", "enfants", "garçon", "fille"],
  gl: ["neno", "nenos", "rapaz", "nena"],
  he: ["ילד", "ילדים", "נער", "ילדה"],
  hr: ["dijete", "djeca", "dječak", "djevojčica"],
  hu: ["gyerek", "gyerekek", "fiú", "lány"],
  id: ["anak", "anak-anak", "bocah", "gadis"],
  is: ["barn", "börn", "strákur", "stelpa"],
  it: ["bambino", "bambini", "ragazzo", "bambina"],
  ka: ["ბავშვი", "ბავშვები", "ბიჭი", "გოგო"],
  ko: ["아이", "아이들", "소년", "소녀"],
  lt: ["vaikas", "vaikai", "berniukas", "mergaitė"],
  lv: ["bērns", "bērni", "zēns", "meitene"],
  mk: ["дете", "деца", "момче", "девојче"],
  ml: ["കുട്ടി", "കുട്ടികൾ", "ആൺകുട്ടി", "പെൺകുട്ടി"],
  ms: ["kanak", "kanak-kanak", "budak lelaki", "budak perempuan"],
  nl: ["kind", "kinderen", "jongen", "meisje"],
  no: ["barn", "barna", "gutt", "jente"],
  pl: ["dziecko", "dzieci", "chłopiec", "dziewczynka"],
  pt: ["criança", "crianças", "rapaz", "menina"],
  pt_br: ["criança", "crianças", "menino", "menina"],
  ro: ["copil", "copii", "băiat", "fată"],
  ru: ["ребёнок", "дети", "мальчик", "девочка"],
  sk: ["dieťa", "deti", "chlapec", "dievča"],
  sl: ["otrok", "otroci", "fant", "deklica"],
  sq: ["fëmijë", "fëmijët", "djalë", "vajzë"],
  sr: ["dete", "deca", "dečak", "devojčica"],
  sv: ["barn", "barnen", "pojke", "flicka"],
  th: ["เด็ก", "เด็กๆ", "เด็กชาย", "เด็กหญิง"],
  tr: ["çocuk", "çocuklar", "oğlan", "kız"],
  uk: ["дитина", "діти", "хлопчик", "дівчинка"],
  vi: ["đứa trẻ", "trẻ em", "cậu bé", "cô bé"],
  zh_cn: ["孩子", "孩子们", "男孩", "女孩"],
  zh_tw: ["孩子", "孩子們", "男孩", "女孩"],
};

/** The words of a language for sentences, whose files have other names for some languages. */
const sentenceFiles: Readonly<Record<string, string>> = { nb: "no", zh: "zh_cn" };

/** A word for a child in the language of a file of sentences; the English one where none is listed. */
export function childOf(sentenceLanguage: string): string {
  const words = childWords[sentenceFiles[sentenceLanguage] ?? sentenceLanguage];
  return words?.[0] ?? "child";
}
