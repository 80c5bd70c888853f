import { lazily } from "@atelier/kit";
import { absenceOf, findHits, namesIn, type Hit, type Hits } from "./hits.ts";
import { firstOffence, offenceAcross, type Offence } from "./judge.ts";
import { judgeInParts } from "./judge-in-parts.ts";
import { loadLexicon, type Lexicon } from "./lexicon/lexicon.ts";
import { base64Text } from "./text/encodings.ts";
import { closedText, hiddenText, undecoratedText } from "./text/normalise.ts";
import { gravity, refusalCode, type ModerationCategory } from "./policy.ts";
import { floorRules } from "./floor-rules.ts";
import { policyRules } from "./policy-rules.ts";
import type { Rule } from "./rules.ts";
import type { ModerationRequest, ModerationText, ModerationVerdict } from "./moderation-request.ts";

export type { ModerationCategory };

export interface Moderator {
  /** Version of the rules, stored with each decision. */
  readonly name: string;
  /** Rejects with the signal's reason when it is aborted. */
  moderate(request: ModerationRequest, signal: AbortSignal): Promise<ModerationVerdict>;
}

interface JudgedText {
  readonly path: string;
  /** The service composed it: what matches only here is never certain. */
  readonly isComposed: boolean;
  readonly hits: Hits;
  /** Hits that count in combinations with other texts. */
  readonly shared: Hits;
  /** The words of a place of it, as the client wrote them. */
  readonly wordsAt: (place: Hit) => string;
}

/** A rule that applies, and where. */
interface Refusal {
  readonly category: ModerationCategory;
  readonly text: JudgedText;
  readonly offence: Offence;
}

/** Whose description stands at a path: the text `characters.0.name` for `characters.0.description`. */
function nameBeside(path: string, texts: readonly ModerationText[]): string | undefined {
  if (!path.endsWith(".description")) return undefined;
  const namePath = path.replace(/description$/u, "name");
  return texts.find((other) => other.path === namePath)?.text;
}

/** The names of characters whose description is that of a child. */
function namesOfChildren(texts: readonly ModerationText[], lexicon: Lexicon): ReadonlySet<string> {
  const names = texts.flatMap(({ path, text }) => {
    const name = nameBeside(path, texts);
    if (name === undefined || !findHits(text, lexicon).hits.has("minor")) return [];
    return namesIn(name);
  });
  return new Set(names);
}

/**
 * The built-in moderator: rules over combinations of concepts, for the legal floor in fifteen languages
 * and for the policy in six. Needs no network. Judges each text alone and all texts of a request
 * together; of several offences the gravest decides, and among those the first text.
 */
export function createRuleModerator(): Moderator {
  const lexicon = loadLexicon();

  function readTexts({ texts }: ModerationRequest): readonly JudgedText[] {
    const childNames = namesOfChildren(texts, lexicon);
    return texts.map(({ path, text, composedOf }): JudgedText => {
      const isComposed = composedOf !== undefined;
      const name = nameBeside(path, texts);
      const named = name === undefined ? text : `${name}: ${text}`;
      const readings = [
        named,
        closedText(named),
        hiddenText(named),
        base64Text(named),
        undecoratedText(named),
      ];
      const all = readings.filter((reading) => reading !== "").join("\n");
      const { hits, wordsAt } = findHits(all, lexicon, childNames);
      if (path !== "negative_prompt") return { path, isComposed, hits, shared: hits, wordsAt };
      const shared = absenceOf(hits);
      return { path, isComposed, hits: new Map([...hits, ...shared]), shared, wordsAt };
    });
  }

  function judge(request: ModerationRequest): ModerationVerdict {
    const texts = readTexts(request);
    const all = texts.map(({ shared }) => shared);
    let worst: Refusal | undefined;
    for (const rule of [...floorRules, ...policyRules]) {
      if (rule.normalOnly === true && request.strictness !== "normal") continue;
      if (rule.references === true && !request.hasClientImages) continue;
      const found = firstRefusal(rule, texts, all);
      if (found !== undefined && (worst === undefined || isWorse(found, worst))) worst = found;
    }
    return worst === undefined ? { allowed: true } : refusalOf(worst, lexicon);
  }

  return {
    name: "rules-3",
    moderate: async (request, signal) => {
      signal.throwIfAborted();
      return judgeInParts(judge, request, signal);
    },
  };
}

/** Where a rule applies: in one text for certain, else in one text, else across the texts. */
function firstRefusal(
  rule: Rule,
  texts: readonly JudgedText[],
  all: readonly Hits[],
): Refusal | undefined {
  const { category } = rule;
  let uncertain: Refusal | undefined;
  for (const text of texts) {
    const offence = firstOffence(rule, text.hits, all);
    if (offence === undefined) continue;
    if (offence.certainty === "certain" && !text.isComposed) return { category, text, offence };
    uncertain ??= { category, text, offence: { ...offence, certainty: "uncertain" } };
  }
  if (uncertain !== undefined || rule.acrossTexts !== true) return uncertain;
  for (const text of texts) {
    const offence = offenceAcross(rule, text.shared, all);
    if (offence !== undefined) return { category, text, offence };
  }
  return undefined;
}

/** Certain refusals come before uncertain ones, then graver categories before others. */
function isWorse(refusal: Refusal, other: Refusal): boolean {
  const isCertain = refusal.offence.certainty === "certain";
  if (isCertain !== (other.offence.certainty === "certain")) return isCertain;
  return gravity(refusal.category) < gravity(other.category);
}

function refusalOf({ category, text, offence }: Refusal, lexicon: Lexicon): ModerationVerdict {
  const { certainty, anchor, companions } = offence;
  const { path } = text;
  if (certainty === "certain") {
    return { allowed: false, certainty, code: refusalCode(category), category, path, quoted: [] };
  }
  const places = [anchor, ...companions];
  const doubtful = places.filter(({ doubt }) => doubt !== undefined);
  const quoted = (doubtful.length > 0 ? doubtful : places).map((place) => ({
    written: text.wordsAt(place),
    readAs: readingOf(place, text.wordsAt(place), lexicon),
  }));
  const code = "content_policy_violation";
  return { allowed: false, certainty, code, category, path, quoted };
}

/** Creating them takes more than ten milliseconds. */
const languageNames = lazily(() => new Intl.DisplayNames("en", { type: "language" }));

/** Returns the reading of doubtful words: another word, or words of another language. */
function readingOf({ doubt }: Hit, words: string, lexicon: Lexicon): string | null {
  if (doubt?.key !== undefined) return lexicon.wordOf(doubt.key);
  const [language] = doubt?.languages ?? [];
  return language === undefined ? null : `${words} (${languageNames().of(language)})`;
}
