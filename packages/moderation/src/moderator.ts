import type { Strictness } from "@atelier/schemas";
import { findHits, namesIn, type Hits } from "./hits.ts";
import { firstOffence, offenceAcross } from "./judge.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { hiddenText } from "./normalise.ts";
import { gravity, refusalCode, type ModerationCategory } from "./policy.ts";
import { rules } from "./rules.ts";

export type { ModerationCategory };

export interface ModerationText {
  /** Where the text stands in the request: `prompt`, `scenes.2.prompt`. */
  readonly path: string;
  readonly text: string;
}

export interface ModerationRequest {
  readonly texts: readonly ModerationText[];
  readonly strictness: Strictness;
  /** Whether somebody brought images that the image is made with: they may show real people. */
  readonly hasClientImages: boolean;
}

export type ModerationVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly code: "content_policy_violation" | "content_illegal";
      readonly category: ModerationCategory;
      readonly path: string;
    };

export interface Moderator {
  /** Version of the rules, stored with each decision. */
  readonly name: string;
  /** Rejects with the signal's reason when it is aborted. */
  moderate(request: ModerationRequest, signal: AbortSignal): Promise<ModerationVerdict>;
}

interface JudgedText {
  readonly path: string;
  readonly hits: Hits;
}

/** The names of characters whose description tells of a child. */
function namesOfChildren(texts: readonly ModerationText[], lexicon: Lexicon): ReadonlySet<string> {
  const names = texts.flatMap(({ path, text }) => {
    if (!path.endsWith(".name")) return [];
    const described = path.replace(/name$/u, "description");
    const description = texts.find((other) => other.path === described);
    if (description === undefined) return [];
    return findHits(description.text, lexicon).has("minor") ? namesIn(text, lexicon) : [];
  });
  return new Set(names);
}

/**
 * The built-in moderator: rules over combinations of concepts, in English, German, French, Spanish,
 * Italian and Portuguese. Needs no network. Judges each text alone and all texts of a request
 * together; of several offences the gravest decides, and among those the first text.
 */
export function createRuleModerator(): Moderator {
  const lexicon = createLexicon();

  function judge(request: ModerationRequest): ModerationVerdict {
    const childNames = namesOfChildren(request.texts, lexicon);
    const texts: JudgedText[] = request.texts.map(({ path, text }) => {
      const hidden = hiddenText(text);
      const whole = hidden === "" ? text : `${text}\n${hidden}`;
      return { path, hits: findHits(whole, lexicon, childNames) };
    });
    const all = texts.map(({ hits }) => hits);
    let worst: { category: ModerationCategory; path: string } | undefined;
    for (const rule of rules) {
      if (rule.normalOnly === true && request.strictness !== "normal") continue;
      if (rule.references === true && !request.hasClientImages) continue;
      if (worst !== undefined && gravity(rule.category) >= gravity(worst.category)) continue;
      const struck =
        texts.find(({ hits }) => firstOffence(rule, hits, all) !== undefined) ??
        (rule.acrossTexts === true
          ? texts.find(({ hits }) => offenceAcross(rule, hits, all))
          : undefined);
      if (struck !== undefined) worst = { category: rule.category, path: struck.path };
    }
    if (worst === undefined) return { allowed: true };
    return { allowed: false, code: refusalCode(worst.category), ...worst };
  }

  return {
    name: "rules-1",
    moderate: async (request, signal) => {
      signal.throwIfAborted();
      return judge(request);
    },
  };
}
