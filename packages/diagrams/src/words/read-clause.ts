import type { Clause } from "./clause.ts";
import { determiners, others } from "./english-words.ts";
import { articles as german, conjunctions } from "./german-words.ts";
import { isAuxiliary, isIn, isParticiple, readEnglish, splitObject } from "./read-english.ts";
import { readGerman } from "./read-german.ts";

/** Verbs that connect a subject with its objects, in their third person, with a preposition, between single spaces. */
const verb =
  / (?:(calls?|feeds?|reads?(?: from)?|writes?(?: to)?|sends?(?: to)?|uses?|queries|query|stores?(?: in)?|saves?(?: to| in)?|publishes(?: to)?|notif(?:y|ies)|returns?(?: to)?|depends? on|points? (?:to|at)|contains?|goes? to|leads? to|flows? (?:to|into)|connects? (?:to|with)|talks? to|links? to|triggers?|starts?|creates?|updates?|loads?|fills?|serves?|owns?|has|have|opens|visits|enters|asks?|fetch(?:es)?|gets?(?: from)?|receives?(?: from)?|pushes(?: to)?|pulls?(?: from)?|forwards(?: to)?|passes(?: to)?|redirects? to|repl(?:y|ies) to|responds? to|listens? to|subscribes? to|deploys? to|invokes?|validates|verifies|watches|shows|sees|produces|consumes)) /iu;

/** Words that are frequent in English, and not in German. */
const english = /^(?:the|a|and|is|are|of|to|with|by|from|for)$/i;

/**
 * Reads a clause of a noun phrase, a verb and a noun phrase in English or German.
 *
 * @param text words with one space between them.
 * @returns null for anything else.
 */
export function readClause(text: string): Clause | null {
  const words = text.split(" ");
  const weight =
    words.filter((word) => isGerman(word.toLowerCase())).length -
    words.filter((word) => english.test(word)).length;
  if (weight > 0) return readGerman(text);
  return readCommonVerb(text) ?? readEnglish(text) ?? (weight === 0 ? readGerman(text) : null);
}

function isGerman(word: string): boolean {
  return german.has(word) || conjunctions.has(word);
}

/** Reads a clause with one of the common verbs of diagrams. */
function readCommonVerb(text: string): Clause | null {
  const found = verb.exec(text);
  if (found === null) return null;
  const [all, name = ""] = found;
  const subject = text.slice(0, found.index).split(" ");
  const rest = text.slice(found.index + all.length);
  const object = rest.split(" ");
  // "can read", "is read by", "has sent" and "the load balancer" are left to the grammar.
  const before = subject.at(-1) ?? "";
  if (isAuxiliary(before) || isIn(before, determiners, others)) return null;
  if (isAuxiliary(name) && isParticiple(object[0] ?? "")) return null;
  const label = name.toLowerCase();
  return (
    splitObject(subject, label, object) ?? { subject: subject.join(" "), verb: label, object: rest }
  );
}
