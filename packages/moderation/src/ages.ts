import type { Token } from "./tokenise.ts";

/** Zero to seventeen, language by language; the position in the list is the number. */
const numberWords = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen",
  "null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn",
  "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize _",
  "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete",
  "zero un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette",
  "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete",
];

const numbers = new Map<string, number>();
for (const words of numberWords) {
  for (const [value, word] of words.split(" ").entries()) numbers.set(word, value);
}

const adultAge = 18;
const yearEnglish = new Set(["year", "years", "yr", "yrs", "month", "months"]);
const oldEnglish = new Set(["old", "olds", "young", "aged"]);
const yearGerman = new Set(["jahr", "jahre", "jahren", "monate"]);
const yearRomance = new Set(["ans", "anos", "anni", "mois", "meses", "mesi", "anitos", "aninhos"]);
const aged = new Set(
  "aged age ages turned turning alter agee agees anos edad eta idade looks looking".split(" "),
);
const glued = new Set(["yo", "yos", "yr", "yrold", "yearold", "yearsold", "y", "jahrig", "yro"]);
const germanAge = /^(.*?)jahrig(?:e|er|es|en|em)?$/u;

const pronouns = new Set("she he who girl boy daughter i sie er".split(" "));
const measures = new Set(
  "feet ft foot cm m meters metres inches kg km percent of minutes hours days weeks stories floors".split(
    " ",
  ),
);
const approximations = new Set("about around only just barely almost nearly circa etwa".split(" "));

function isCopula(word: string | undefined): boolean {
  return word === "is" || word === "s" || word === "was" || word === "m" || word === "ist";
}

function numberOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,2}$/u.test(word)) return Number(word);
  return numbers.get(word);
}

/** Where a text tells an age below 18, as [start, end) of tokens; `sure` when it must be a person's. */
export interface AgeMention {
  readonly start: number;
  readonly end: number;
  readonly sure: boolean;
  /** A number alone, which is an age only right after a girl or a boy. */
  readonly bare?: true;
}

/**
 * Ages in years (or months) below 18 in six languages: "10-year-old", "aged twelve", "13yo",
 * "zehnjährige", "14 Jahre alt", "de 12 ans", "doce años".
 */
export function findMinorAges(tokens: readonly Token[]): AgeMention[] {
  const found: AgeMention[] = [];
  const word = (at: number): string | undefined => tokens[at]?.word;
  for (let at = 0; at < tokens.length; at += 1) {
    const here = word(at) ?? "";
    const german = germanAge.exec(here);
    if (german !== null) {
      const stem = german[1] ?? "";
      const value = stem === "" ? numberOf(word(at - 1)) : numberOf(stem);
      if (value !== undefined && value < adultAge) {
        found.push({ start: stem === "" ? at - 1 : at, end: at + 1, sure: true });
      }
      continue;
    }
    const value = numberOf(here);
    if (value === undefined || value >= adultAge) continue;
    const next = word(at + 1) ?? "";
    const afterNext = word(at + 2) ?? "";
    if (yearEnglish.has(next) && (oldEnglish.has(afterNext) || afterNext === "of")) {
      if (afterNext === "of" && word(at + 3) !== "age") continue;
      found.push({ start: at, end: at + 3, sure: true });
    } else if (yearEnglish.has(next) && tokens[at + 1]?.clause !== tokens[at + 2]?.clause) {
      // "approx. 12 years, in a red coat": nothing else is counted.
      found.push({ start: at, end: at + 2, sure: false });
    } else if (glued.has(next) || (next === "y" && afterNext === "o")) {
      if (next === "y" && afterNext !== "o" && afterNext !== "old") continue;
      found.push({ start: at, end: at + 2, sure: true });
    } else if (yearGerman.has(next) && /^(?:alt(?:e|er|es|en|em)?|jung)$/u.test(afterNext)) {
      found.push({ start: at, end: at + 3, sure: true });
    } else if (yearRomance.has(next)) {
      found.push({ start: at, end: at + 2, sure: false });
    } else if (aged.has(word(at - 1) ?? "")) {
      const sure = word(at - 1) === "aged" || word(at - 1) === "age";
      found.push({ start: at - 1, end: at + 1, sure });
    } else if (word(at - 2) === "age" && word(at - 1) === "of") {
      found.push({ start: at - 2, end: at + 1, sure: true });
    } else if (value < 3) {
      // "She is one with the sea": small numbers need a unit.
      continue;
    } else if (isCopula(word(at - 1)) && pronouns.has(word(at - 2) ?? "") && !measures.has(next)) {
      found.push({ start: at, end: at + 1, sure: true });
    } else if (tokens[at]?.clause !== tokens[at + 1]?.clause) {
      const back = approximations.has(word(at - 1) ?? "") ? 1 : 0;
      const of = word(at - 1 - back) === "of" || word(at - 1 - back) === "de" ? 1 : 0;
      found.push({ start: at - back - of, end: at + 1, sure: false, bare: true });
    }
  }
  return found;
}
