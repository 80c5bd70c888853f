import { labelOf, maxWords, type Clause } from "./clause.ts";
import {
  adjectives,
  articles,
  beginnings,
  copulas,
  determiners,
  irregularParticiples,
  irregularPasts,
  irregularPlurals,
  means,
  modals,
  others,
  particles,
  perfects,
  pluralDeterminers,
  prepositionalVerbs,
  prepositions,
  targets,
  transitiveVerbs,
} from "./english-words.ts";

/**
 * Reads a clause of a noun phrase, a verb and a noun phrase: "the clerk stamps the form". The verb is the
 * first word that agrees with the words before it and that another noun phrase follows. Only closed
 * classes of words are known: articles, prepositions, auxiliaries. Where they do not tell a verb from a
 * noun, as in "wolves hunt deer", common verbs are known, too.
 *
 * @returns null for anything else.
 */
export function readEnglish(text: string): Clause | null {
  const words = text.split(" ");
  if (words.length < 3 || words.length > maxWords || beginnings.has(lower(words[0]))) return null;
  for (let index = 1; index < words.length - 1; index++) {
    const subject = words.slice(0, index);
    const length = isSubject(subject) ? verbLength(subject, words.slice(index)) : 0;
    if (length === 0) continue;
    const verb = words.slice(index, index + length).join(" ");
    const clause = splitObject(subject, verb, words.slice(index + length));
    if (clause !== null) return clause;
  }
  return null;
}

/**
 * Moves the end of a long object into the label: "delivers the parcel to" the recipient, "supplies with
 * oxygen" the blood, "grants a loan" the customer.
 */
export function splitObject(
  subject: readonly string[],
  verb: string,
  words: readonly string[],
): Clause | null {
  const from = subject.join(" ");
  const hasPreposition = prepositions.has(lower(verb.split(" ").at(-1)));
  const at = hasPreposition ? -1 : words.findIndex((word) => isIn(word, targets, means));
  const [before, word, after] = [words.slice(0, at), lower(words[at]), words.slice(at + 1)];
  if (at > 0 && isObject(before) && isObject(after)) {
    const [direct, rest] = [before.join(" "), after.join(" ")];
    return targets.has(word)
      ? { subject: from, verb: labelOf(verb, direct, word), object: rest }
      : { subject: from, verb: labelOf(verb, word, rest), object: direct };
  }
  const second = words.findIndex((one, index) => articles.has(one) && isNoun(words[index - 1]));
  const [object, gift] = [words.slice(0, second), words.slice(second)];
  if (second > 0 && isObject(object)) {
    return { subject: from, verb: labelOf(verb, ...gift), object: object.join(" ") };
  }
  return isObject(words) ? { subject: from, verb, object: words.join(" ") } : null;
}

/** The number of words of the verb at the start of a predicate; 0 for another word. */
function verbLength(subject: readonly string[], predicate: readonly string[]): number {
  const [first, second, third] = predicate.map(lower);
  if (first === undefined || second === undefined) return 0;
  if (copulas.has(first)) return copulaLength(second, third);
  if (perfects.has(first) && isParticiple(second)) return third === undefined ? 0 : 2;
  if (modals.has(first)) {
    const isVerb = isOpen(second) && !second.endsWith("ly");
    return isVerb && third !== undefined ? 1 + objectOffset(second, predicate.slice(1)) : 0;
  }
  if (!isOpen(first) || !agrees(subject, predicate[0] ?? "")) return 0;
  const offset = objectOffset(first, predicate);
  if (offset === 0 || determiners.has(lower(predicate[offset]))) return offset;
  if (offset > 1 || isThirdPerson(first) || isPast(first)) return offset;
  // "the wolves hunt deer", and not "the sales process diagram".
  return transitiveVerbs.has(first) ? offset : 0;
}

/** "is checked by the clerk", "is connected to the network" and "is a customer"; not "is happy". */
function copulaLength(second: string, third: string | undefined): number {
  if (isParticiple(second) && third !== undefined && prepositions.has(third)) return 3;
  return articles.has(second) ? 1 : 0;
}

/** How many words of a predicate are the verb with its particle or preposition; 0 if no object follows. */
function objectOffset(verb: string, [, second, third]: readonly string[]): number {
  if (second === undefined) return 0;
  if (particles.has(second)) return third === undefined ? 0 : 2;
  if (!prepositions.has(lower(second))) return 1;
  return third !== undefined && stemsOf(verb).some((stem) => prepositionalVerbs.has(stem)) ? 2 : 0;
}

/** Whether words are a noun phrase that can be a subject: it ends with a noun. */
function isSubject(words: readonly string[]): boolean {
  const [first = "", ...rest] = words;
  const last = lower(words.at(-1));
  if (prepositions.has(lower(first)) || others.has(lower(first))) return false;
  if (rest.some(isAuxiliary)) return false;
  return isNoun(last) && !/^\d+$/.test(last);
}

/** Whether words are a noun phrase that can be an object: its main word is no adjective or pronoun. */
function isObject(words: readonly string[]): boolean {
  const end = words.findIndex((word) => prepositions.has(lower(word)));
  const phrase = end === -1 ? words : words.slice(0, end);
  const last = lower(phrase.at(-1)?.replace(/,$/, ""));
  return isNoun(last) && !isIn(phrase[0] ?? "", others);
}

function isNoun(word: string | undefined): boolean {
  return isOpen(lower(word)) && !isAdjective(lower(word));
}

/** Whether a word has the form of a verb of a subject: "the clerk stamps", "the clerks stamp". */
function agrees(subject: readonly string[], word: string): boolean {
  if (word !== word.toLowerCase() || !/^[a-z]+(?:-[a-z]+)*$/.test(word)) return false;
  if (isPast(word)) return true;
  if (!isPlural(subject)) return isThirdPerson(word);
  return (
    !isThirdPerson(word) &&
    !isAdjective(word) &&
    !/(?:ing|(?<![efp])ly|tion|ment|ness|ity)$/.test(word)
  );
}

function isPast(word: string): boolean {
  return word.endsWith("ed") || irregularPasts.has(word);
}

function isThirdPerson(word: string): boolean {
  return /..[^s]s$/.test(word) && !/(?:us|is|ics)$/.test(word);
}

function isPlural(subject: readonly string[]): boolean {
  const end = subject.findIndex((word) => prepositions.has(lower(word)));
  const phrase = (end === -1 ? subject : subject.slice(0, end)).map(lower);
  const [first = ""] = phrase;
  if (["a", "an", "each", "every", "this", "one"].includes(first)) return false;
  const last = phrase.at(-1) ?? "";
  const isCounted = pluralDeterminers.has(first) || /^\d+$/.test(first);
  return isCounted || phrase.includes("and") || irregularPlurals.has(last) || isThirdPerson(last);
}

export function isAuxiliary(word: string): boolean {
  return isIn(word, copulas, perfects, modals);
}

export function isParticiple(word: string): boolean {
  return word.endsWith("ed") || irregularParticiples.has(word);
}

/** Whether a word may be a noun or a verb. */
function isOpen(word: string): boolean {
  return word !== "" && !isAuxiliary(word) && !isIn(word, determiners, prepositions, others);
}

function isAdjective(word: string): boolean {
  return adjectives.has(word) || /...(?:ful|ous|less)$/.test(word);
}

/** The infinitives that a third person or past may have: "syncs" → "sync", "carries" → "carry". */
function stemsOf(verb: string): string[] {
  const endings = [/s$/, /es$/, /ed$/, /d$/].map((ending) => verb.replace(ending, ""));
  return [verb, ...endings, verb.replace(/ie[sd]$/, "y")];
}

export function isIn(word: string, ...sets: readonly ReadonlySet<string>[]): boolean {
  return sets.some((set) => set.has(lower(word)));
}

function lower(word: string | undefined): string {
  return (word ?? "").toLowerCase();
}
