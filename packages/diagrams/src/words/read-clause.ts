import type { Clause } from "./clause.ts";
import { determiners, others } from "./english-words.ts";
import { articles as german, conjunctions } from "./german-words.ts";
import { isAuxiliary, isIn, isParticiple, readEnglish, splitObject } from "./read-english.ts";
import { readGerman } from "./read-german.ts";

/** Verbs that connect a subject with its objects, in their third person, with a preposition. */
const verb =
  /\s+(?:(calls?|feeds?|reads?(?:\s+from)?|writes?(?:\s+to)?|sends?(?:\s+to)?|uses?|queries|query|stores?(?:\s+in)?|saves?(?:\s+to|\s+in)?|publishes(?:\s+to)?|notif(?:y|ies)|returns?(?:\s+to)?|depends?\s+on|points?\s+(?:to|at)|contains?|goes?\s+to|leads?\s+to|flows?\s+(?:to|into)|connects?\s+(?:to|with)|talks?\s+to|links?\s+to|triggers?|starts?|creates?|updates?|loads?|fills?|serves?|owns?|has|have|opens|visits|enters|asks?|fetch(?:es)?|gets?(?:\s+from)?|receives?(?:\s+from)?|pushes(?:\s+to)?|pulls?(?:\s+from)?|forwards(?:\s+to)?|passes(?:\s+to)?|redirects?\s+to|repl(?:y|ies)\s+to|responds?\s+to|listens?\s+to|subscribes?\s+to|deploys?\s+to|invokes?|validates|verifies|watches|shows|sees|produces|consumes))\s+/iu;

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
