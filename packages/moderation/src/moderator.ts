import type { Strictness } from "@atelier/schemas";
import { absenceOf, findHits, namesIn, type Hits } from "./hits.ts";
import { firstOffence, offenceAcross } from "./judge.ts";
import { judgeInParts } from "./judge-in-parts.ts";
import { loadLexicon, type Lexicon } from "./lexicon/lexicon.ts";
import { base64Text } from "./text/encodings.ts";
import { closedText, hiddenText } from "./text/normalise.ts";
import { gravity, refusalCode, type ModerationCategory } from "./policy.ts";
import { floorRules } from "./floor-rules.ts";
import { policyRules } from "./policy-rules.ts";

export type { ModerationCategory };

export interface ModerationText {
  /**
   * Location in the request: `prompt`, `scenes.2.prompt`. A `description` is read with the `name`
   * beside it, and a `negative_prompt` as what the image must not show. Metadata is never passed.
   */
  readonly path: string;
  readonly text: string;
  /**
   * For a prompt that the service composed: the paths of the client's texts that it is made of. Its
   * own `path` is that of the text that the image is made for.
   */
  readonly composedOf?: readonly string[];
}

export interface ModerationRequest {
  readonly texts: readonly ModerationText[];
  readonly strictness: Strictness;
  /**
   * Whether the client supplied any image that the result is made from: a reference, an image to
   * edit or combine, a mask's original, an upload. It may show a real person, so orders to undress
   * or sexualise get 451, also without a name in the texts.
   */
  readonly hasClientImages: boolean;
}

/** Words of a client that an uncertain refusal rests on. */
export interface QuotedWords {
  /** As the client wrote them. */
  readonly written: string;
  /** The word of the vocabulary that they were read as; null when they were read as written. */
  readonly readAs: string | null;
}

export type ModerationVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /**
       * `certain` is final. `uncertain` is a match that may be innocent: a remote model decides it, and
       * without one it is refused with `content_policy_violation`, also in a category of the legal floor.
       */
      readonly certainty: "certain" | "uncertain";
      readonly code: "content_policy_violation" | "content_illegal";
      readonly category: ModerationCategory;
      readonly path: string;
      /** Further texts that the match rests on. Default: none. */
      readonly otherPaths?: readonly string[];
      /** For an uncertain refusal, what it rests on; empty for a certain one. */
      readonly quoted: readonly QuotedWords[];
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
  /** What it contributes to combinations with other texts. */
  readonly shared: Hits;
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
    if (name === undefined || !findHits(text, lexicon).has("minor")) return [];
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

  function judge(request: ModerationRequest): ModerationVerdict {
    const childNames = namesOfChildren(request.texts, lexicon);
    const texts = request.texts.map(({ path, text }): JudgedText => {
      const name = nameBeside(path, request.texts);
      const named = name === undefined ? text : `${name}: ${text}`;
      const readings = [named, closedText(named), hiddenText(named), base64Text(named)];
      const all = readings.filter((reading) => reading !== "").join("\n");
      const hits = findHits(all, lexicon, childNames);
      if (path !== "negative_prompt") return { path, hits, shared: hits };
      const shared = absenceOf(hits);
      return { path, hits: new Map([...hits, ...shared]), shared };
    });
    const all = texts.map(({ shared }) => shared);
    let worst: { category: ModerationCategory; path: string } | undefined;
    for (const rule of [...floorRules, ...policyRules]) {
      if (rule.normalOnly === true && request.strictness !== "normal") continue;
      if (rule.references === true && !request.hasClientImages) continue;
      if (worst !== undefined && gravity(rule.category) >= gravity(worst.category)) continue;
      const struck =
        texts.find(({ hits }) => firstOffence(rule, hits, all) !== undefined) ??
        (rule.acrossTexts === true
          ? texts.find(({ shared }) => offenceAcross(rule, shared, all))
          : undefined);
      if (struck !== undefined) worst = { category: rule.category, path: struck.path };
    }
    if (worst === undefined) return { allowed: true };
    const code = refusalCode(worst.category);
    return { allowed: false, certainty: "certain", code, ...worst, quoted: [] };
  }

  return {
    name: "rules-2",
    moderate: async (request, signal) => {
      signal.throwIfAborted();
      return judgeInParts(judge, request, signal);
    },
  };
}
