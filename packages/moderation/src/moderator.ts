import type { Strictness } from "@atelier/schemas";
import { findHits, namesIn, type Hits } from "./hits.ts";
import { firstOffence, offenceAcross } from "./judge.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { closedText, hiddenText } from "./normalise.ts";
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

/** Whose description stands at a path: the text `characters.0.name` for `characters.0.description`. */
function nameBeside(path: string, texts: readonly ModerationText[]): string | undefined {
  if (!path.endsWith(".description")) return undefined;
  const namePath = path.replace(/description$/u, "name");
  return texts.find((other) => other.path === namePath)?.text;
}

/** The names of characters whose description tells of a child. */
function namesOfChildren(texts: readonly ModerationText[], lexicon: Lexicon): ReadonlySet<string> {
  const names = texts.flatMap(({ path, text }) => {
    const name = nameBeside(path, texts);
    if (name === undefined || !findHits(text, lexicon).has("minor")) return [];
    return namesIn(name);
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
      const name = nameBeside(path, request.texts);
      const named = name === undefined ? text : `${name}: ${text}`;
      const readings = [named, closedText(named), hiddenText(named)];
      const whole = readings.filter((reading) => reading !== "").join("\n");
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
