import { labelOf, maxWords, type Clause } from "./clause.ts";
import {
  auxiliaries,
  beginnings,
  conjunctions,
  datives,
  determiners,
  genitives,
  irregularPasts,
  means,
  prepositions,
  targets,
} from "./german-words.ts";

/**
 * Reads a clause of a noun phrase, a verb and a noun phrase: "Der Kunde bestellt eine Pizza". The verb is
 * the first word in lower case after a noun, which has a capital. Of a text in lower case, it is the word
 * before the article of the object.
 *
 * @returns null for anything else.
 */
export function readGerman(text: string): Clause | null {
  const words = text.split(" ");
  if (words.length < 3 || words.length > maxWords || beginnings.has(lower(words[0]))) return null;
  const at = words.some((word) => isNoun(word)) ? findVerb(words) : findPlainVerb(words);
  if (at === -1) return null;
  const subject = words.slice(0, at).join(" ");
  const verb = words[at] ?? "";
  const predicate = words.slice(at + 1);
  const hasNouns = predicate.some((word) => isNoun(word));
  // The rest of the verb: "kann die Bestellung stornieren", "ruft den Dienst auf".
  const end = hasNouns ? predicate.findLastIndex((word) => isNoun(word)) + 1 : predicate.length;
  const rest = predicate.slice(end);
  const isPlain = rest.length === 0 && auxiliaries.has(verb);
  if (isPlain && !isPhrase(predicate.slice(0, 2))) return null;
  return splitObject(subject, labelOf(verb, ...rest), predicate.slice(0, end), hasNouns);
}

/** The index of the word in lower case after the subject, if it has the form of a verb; otherwise -1. */
function findVerb(words: readonly string[]): number {
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!isNoun(words[index - 1] ?? "") || isNoun(word)) continue;
    if (conjunctions.has(word) || prepositions.has(word) || genitives.has(word)) continue;
    return isVerb(word) ? index : -1;
  }
  return -1;
}

/** The index of the word before the article of the object, in a text without capitals; -1 if there is none. */
function findPlainVerb(words: readonly string[]): number {
  if (!determiners.has(words[0] ?? "")) return -1;
  const article = words.findIndex(
    (word, index) => index > 2 && ["die", "das", "den", "ein", "eine", "einen"].includes(word),
  );
  const verb = words[article - 1] ?? "";
  return article !== -1 && isVerb(verb) && !prepositions.has(verb) ? article - 1 : -1;
}

/** Moves the end of a long object into the label: "schreibt die Daten in" die Datenbank. */
function splitObject(
  subject: string,
  verb: string,
  words: readonly string[],
  hasNouns: boolean,
): Clause | null {
  const [first = ""] = words;
  if (prepositions.has(first)) {
    const object = words.slice(1);
    return isPhrase(object) ? clauseOf(subject, labelOf(verb, first), object) : null;
  }
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      (targets.has(word) || means.has(word) || datives.has(word)) &&
      (!hasNouns || isNoun(words[index - 1] ?? "")),
  );
  const [direct, word = "", rest] = [words.slice(0, at), words[at], words.slice(at + 1)];
  if (at !== -1 && isPhrase(direct) && rest.length > 0) {
    return targets.has(word)
      ? clauseOf(subject, labelOf(verb, direct.join(" "), word), rest)
      : clauseOf(subject, labelOf(verb, word, rest.join(" ")), direct);
  }
  return isPhrase(words) ? clauseOf(subject, verb, words) : null;
}

function clauseOf(subject: string, verb: string, object: readonly string[]): Clause {
  return { subject, verb, object: object.join(" ") };
}

/** Whether words are a noun phrase: they end with a noun, or begin with an article. */
function isPhrase(words: readonly string[]): boolean {
  return isNoun(words.at(-1) ?? "") || (words.length > 1 && determiners.has(words[0] ?? ""));
}

function isVerb(word: string): boolean {
  if (auxiliaries.has(word) || irregularPasts.has(word)) return true;
  return !determiners.has(word) && /(?:t|te|en|ern|eln)$/u.test(word);
}

/** Whether a word has a capital, other than a determiner at the start of a sentence. */
function isNoun(word: string): boolean {
  return /^["„(]?\p{Lu}/u.test(word) && !determiners.has(lower(word));
}

function lower(word: string | undefined): string {
  return (word ?? "").toLowerCase();
}
