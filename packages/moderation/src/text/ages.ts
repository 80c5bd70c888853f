import { normalise } from "./normalise.ts";
import type { Token } from "./tokenise.ts";

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map(normalise));
}

/** Zero to seventeen, language by language; the position in the list is the number. */
const numberWords = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen",
  "null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn",
  "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept",
  "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete",
  "zero un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette",
  "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete",
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien",
  "zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie trzynascie czternascie pietnascie szesnascie siedemnascie",
  "_ _ dwoch trzech czterech pieciu szesciu siedmiu osmiu dziewieciu dziesieciu jedenastu dwunastu trzynastu czternastu pietnastu szesnastu siedemnastu",
  "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать",
  "_ одного двух трех четырех пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати семнадцати",
  "нуль один два три чотири пять шість сім вісім девять десять одинадцять дванадцять тринадцять чотирнадцять пятнадцять шістнадцять сімнадцять",
  "_ _ двох трьох чотирьох п_яти шести семи восьми дев_яти десяти одинадцяти дванадцяти тринадцяти чотирнадцяти п_ятнадцяти шістнадцяти сімнадцяти",
  "sifir bir iki uc dort bes alti yedi sekiz dokuz on on_bir on_iki on_uc on_dort on_bes on_alti on_yedi",
  "صفر سنه سنتين ثلاث اربع خمس ست سبع ثماني تسع عشر احدي_عشره اثنتي_عشره ثلاث_عشره اربع_عشره خمس_عشره ست_عشره سبع_عشره",
  "_ _ _ الثالثه الرابعه الخامسه السادسه السابعه الثامنه التاسعه العاشره الحاديه_عشره الثانيه_عشره الثالثه_عشره الرابعه_عشره الخامسه_عشره السادسه_عشره السابعه_عشره",
  "零 一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七",
  "영 한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯 열여섯 열일곱",
];

const longestNumber = 3;
const numbers = new Map<string, number>();
const firstWords = new Set<string>();
for (const words of numberWords) {
  for (const [value, word] of words.split(" ").entries()) {
    if (word === "_") continue;
    const isSyllabic = /[一-鿿가-힯]/u.test(word);
    const phrase = isSyllabic ? Array.from(word).join(" ") : word.replaceAll("_", " ");
    const normalised = normalise(phrase);
    numbers.set(normalised, value);
    firstWords.add(normalised.replace(/ .*/u, ""));
  }
}

/** Stems of words that contain an age: "двенадцатилетняя", "dwunastoletnia", "undicenne". */
const agedStems =
  /^(?:(?:дву|двух|трех|четырех|пяти|шести|семи|восьми|девяти|десяти|одиннадцати|двенадцати|тринадцати|четырнадцати|пятнадцати|шестнадцати|семнадцати)летн|(?:дво|трьох|чотирьох|пяти|шести|семи|восьми|девяти|десяти|одинадцяти|дванадцяти|тринадцяти|чотирнадцяти|пятнадцяти|шістнадцяти|сімнадцяти)річн|(?:dwu|trzy|cztero|piecio|szescio|siedmio|osmio|dziewiecio|dziesiecio|jedenasto|dwunasto|trzynasto|czternasto|pietnasto|szesnasto|siedemnasto)(?:letn|lat)|(?:treizieme|quinceaner))/u;

const adultAge = 18;
/** Units of age for persons only. */
const sureUnits = setOf(
  "yo yos yrold yearold yearsold yro jahrig jarige jarig летняя летний летнюю летней летние летних летнего летнем річна річний річну річної річні letnia letni letnie letniej letnich letnia latka latek latki latke 세 살 岁 歲 歳 才",
);
/** Units of age for anything: a person must be near. */
const unsureUnits = setOf(
  "ans anos anni mois meses mesi anitos aninhos lat lata roku года год лет років роки рік jaar jaren yas yasinda yaslarinda yasindaki سنه سنوات عاما عام اعوام",
);
const yearEnglish = new Set(["year", "years", "yr", "yrs", "y", "month", "months", "yo"]);
const oldEnglish = new Set(["old", "olds", "young", "aged", "o"]);
const yearGerman = new Set(["jahr", "jahre", "jahren", "monate", "jaar", "jaren"]);
const oldGerman = /^(?:alt(?:e|er|es|en|em)?|jung|oud|oude)$/u;
const aged = setOf(
  "aged age ages turned turning alter agee agees anos edad eta idade looks looking leeftijd wieku возрасте віці عمرها عمره yasi",
);
const germanAge = /^(.*?)(?:jahrig(?:e|er|es|en|em)?|jarig(?:e|en)?)$/u;
const yearSaid = /jah?rig/u;
const stage = setOf("grade year form class klasse klas classe klasa класс класі");
const stageAfter = setOf(
  "grade grader graders form former класс класса класу klasse klas klasa klasy sinif",
);
const ordinal = new Set("st nd rd th º ª o a e eme er j".split(" "));

const pronouns = new Set("she he who someone somebody girl boy daughter i sie er".split(" "));
const measures = new Set(
  "feet ft foot cm m meters metres inches kg km percent of minutes hours days weeks stories floors".split(
    " ",
  ),
);
const approximations = new Set(
  "about around only just barely almost nearly maybe perhaps roughly approximately approx circa etwa vielleicht".split(
    " ",
  ),
);

/** Numbers that are names or other words elsewhere: "Character (Otto)", "a girl elf". */
const ambiguousNumbers = new Set("otto elf on sei due dos".split(" "));

const passed = setOf("hace vor seit depuis ha fa ago geleden atras назад тому temu once قبل منذ");

function isCopula(word: string | undefined): boolean {
  return word === "is" || word === "s" || word === "was" || word === "m" || word === "ist";
}

interface NumberFound {
  readonly value: number;
  readonly length: number;
}

/** The number that begins at a token, in digits or in words of up to three tokens. */
export function numberAt(tokens: readonly Token[], at: number): NumberFound | undefined {
  const word = tokens[at]?.word ?? "";
  if (isShortNumber(word)) return { value: Number(word), length: 1 };
  if (!firstWords.has(word)) return undefined;
  let phrase = word;
  let found: NumberFound | undefined;
  for (let length = 1; length <= longestNumber; length += 1) {
    const value = numbers.get(phrase);
    if (value !== undefined) found = { value, length };
    phrase += ` ${tokens[at + length]?.word ?? ""}`;
  }
  return found;
}

/** An age below 18 in a text, as [start, end) of tokens; `sure` when it must be a person's. */
interface AgeMention {
  readonly start: number;
  readonly end: number;
  readonly sure: boolean;
  /** A number alone, which is an age only right after a girl or a boy. */
  readonly bare?: true;
}

/**
 * Ages in years (or months) below 18, and school years: "10-year-old", "aged twelve", "13yo",
 * "zehnjährige", "14 Jahre alt", "de 12 ans", "12-летняя", "12歳", "7th grade".
 *
 * @param places the tokens to look at, those whose word {@link mayTellAge}; all by default.
 */
export function findMinorAges(
  tokens: readonly Token[],
  places: Iterable<number> = tokens.keys(),
): AgeMention[] {
  const found: AgeMention[] = [];
  for (const at of places) {
    const mention = ageAt(tokens, at);
    if (mention !== undefined) found.push(mention);
  }
  return found;
}

/** Whether an age may begin with a word: a number, or a word such as "zehnjährige". */
export function mayTellAge(word: string): boolean {
  if (isShortNumber(word) || firstWords.has(word)) return true;
  return word.length > 5 && (agedStems.test(word) || yearSaid.test(word));
}

function isShortNumber(word: string): boolean {
  return word.length <= 2 && /^\d+$/u.test(word);
}

function ageAt(tokens: readonly Token[], at: number): AgeMention | undefined {
  const word = (index: number): string => tokens[index]?.word ?? "";
  const here = word(at);
  if (here.length > 5) {
    if (agedStems.test(here)) return { start: at, end: at + 1, sure: true };
    const german = yearSaid.test(here) ? germanAge.exec(here) : null;
    if (german !== null) return germanAgeAt(tokens, at, german[1] ?? "");
  }
  const number = numberAt(tokens, at);
  if (number === undefined) return undefined;
  const { value, length } = number;
  if (value >= adultAge) return undefined;
  const end = at + length;
  const next = word(end);
  const afterNext = word(end + 1);
  const previous = word(at - 1);
  if (sureUnits.has(next)) return { start: at, end: end + 1, sure: true };
  if (yearEnglish.has(next) && (oldEnglish.has(afterNext) || afterNext === "of")) {
    if (afterNext === "of" && word(end + 2) !== "age") return undefined;
    return { start: at, end: end + 2, sure: true };
  }
  if (yearEnglish.has(next) && next.length > 1 && tokens[end]?.clause !== tokens[end + 1]?.clause) {
    // "approx. 12 years, in a red coat": nothing else is counted.
    return { start: at, end: end + 1, sure: false };
  }
  if (yearGerman.has(next) && oldGerman.test(afterNext)) {
    return { start: at, end: end + 2, sure: true };
  }
  // "De hace 12 años": time that has passed.
  if (passed.has(previous) || passed.has(afterNext)) return undefined;
  if (unsureUnits.has(next)) return { start: at, end: end + 1, sure: false };
  const isStage = stage.has(previous) || stageAfter.has(next);
  const isOrdinalStage = ordinal.has(next) && stageAfter.has(afterNext);
  if (isStage || isOrdinalStage) return { start: at, end: end + 1, sure: false };
  if (aged.has(previous)) {
    return {
      start: at - 1,
      end,
      sure: previous !== "looks" && previous !== "looking" && previous.startsWith("age"),
    };
  }
  if (word(at - 2) === "age" && previous === "of") return { start: at - 2, end, sure: true };
  // "She is one with the sea": small numbers need a unit.
  if (value < 3) return undefined;
  // "She is 12", "who is only 12".
  const back = approximations.has(previous) ? 1 : 0;
  const isSaid = isCopula(word(at - 1 - back)) && pronouns.has(word(at - 2 - back));
  if (isSaid && !measures.has(next)) return { start: at, end, sure: true };
  if (ambiguousNumbers.has(here)) return undefined;
  // "A girl of 8 in the garden", but not "girls of 8 countries".
  const isOfAge = previous === "of" && !next.endsWith("s") && !measures.has(next);
  if (!isOfAge && tokens[end - 1]?.clause === tokens[end]?.clause) return undefined;
  const before = word(at - 1 - back);
  const of = before === "of" || before === "de" ? 1 : 0;
  return { start: at - back - of, end, sure: false, bare: true };
}

/** Whether somebody born in a year may be younger than 18: "2015", as a word of a text. */
export function isBirthYearOfMinor(word: string, thisYear: number): boolean {
  if (!/^20\d\d$/u.test(word)) return false;
  const year = Number(word);
  return year >= thisYear - adultAge && year <= thisYear;
}

function germanAgeAt(tokens: readonly Token[], at: number, stem: string): AgeMention | undefined {
  const value = stem === "" ? numberAt(tokens, at - 1)?.value : numbers.get(stem);
  if (value === undefined || value >= adultAge) return undefined;
  return { start: stem === "" ? at - 1 : at, end: at + 1, sure: true };
}
