import { AppError, type Strictness } from "@atelier/schemas";
import type { ModerationRequest, ModerationVerdict, Moderator } from "../moderator.ts";
import { gravity, refusalCode, type ModerationCategory } from "../policy.ts";
import { ClassifierDown, type Classifier } from "./classifier.ts";

export interface RemoteModeratorOptions {
  /** Judges first. Its certain refusals are final and are not sent to the classifier. */
  readonly rules: Moderator;
  readonly classifier: Classifier;
  /**
   * While the classifier is down: generate nothing, or let the rules decide alone. An uncertain refusal of
   * the rules stands in both cases.
   */
  readonly whenDown: "refuse" | "allow";
  /** Told whenever it is. */
  readonly onDown: (error: Error) => void;
}

/**
 * A moderator that also asks a model elsewhere. The model may refuse what the rules allow, and decides
 * their uncertain matches both ways.
 */
export interface RemoteModerator extends Moderator {
  /**
   * Judges a generated image. Its `path` is `image`.
   *
   * @throws AppError, retryable, while the classifier is down: `overloaded`, or `internal_error` when the
   *   operator has to correct a setting.
   */
  moderateImage(
    image: Uint8Array,
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<ModerationVerdict>;
}

const shortestRetryMs = 5_000;

/** Adds a classifier to the rules. Each different text of a request is judged once. */
export function createRemoteModerator(options: RemoteModeratorOptions): RemoteModerator {
  const { rules, classifier, whenDown, onDown } = options;

  async function unlessDown<Judgement>(work: Promise<Judgement>): Promise<Judgement | null> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ClassifierDown)) throw error;
      onDown(error);
      if (whenDown === "allow") return null;
      throw toAppError(error);
    }
  }

  async function askAboutTexts(
    { texts, strictness }: ModerationRequest,
    signal: AbortSignal,
  ): Promise<ModerationVerdict> {
    const different = [...new Map(texts.map((text) => [text.text, text])).values()].filter(
      ({ text }) => text.trim() !== "",
    );
    if (different.length === 0) return { allowed: true };
    const categories = await classifier.judgeTexts(
      different.map(({ text }) => text),
      strictness,
      signal,
    );
    let verdict: ModerationVerdict = { allowed: true };
    for (const [index, category] of categories.entries()) {
      if (category === null) continue;
      if (!verdict.allowed && gravity(category) >= gravity(verdict.category)) continue;
      verdict = refuse(category, different[index]?.path ?? "prompt");
    }
    return verdict;
  }

  /** The classifier's decision on an uncertain match; the match itself while there is none. */
  async function decideUncertain(
    match: ModerationVerdict,
    request: ModerationRequest,
    signal: AbortSignal,
  ): Promise<ModerationVerdict> {
    try {
      return await askAboutTexts(request, signal);
    } catch (error) {
      if (!(error instanceof ClassifierDown)) throw error;
      onDown(error);
      return match;
    }
  }

  return {
    name: `${rules.name}+${classifier.name}`,
    async moderate(request, signal) {
      const verdict = await rules.moderate(request, signal);
      if (!verdict.allowed) {
        return verdict.certainty === "certain"
          ? verdict
          : decideUncertain(verdict, request, signal);
      }
      return (await unlessDown(askAboutTexts(request, signal))) ?? verdict;
    },
    async moderateImage(image, strictness, signal) {
      if (classifier.judgeImage === null) return { allowed: true };
      const category = await unlessDown(classifier.judgeImage(image, strictness, signal));
      return category === null ? { allowed: true } : refuse(category, "image");
    },
  };
}

function toAppError(cause: ClassifierDown): AppError {
  const retryAfterMs = Math.max(shortestRetryMs, Math.ceil(cause.retryAfterMs ?? 0));
  const options = { retryable: true, retryAfterMs, cause };
  if (cause.reason === "misconfigured") {
    return new AppError(
      "internal_error",
      "Moderation is not configured correctly, and nothing is made without it. The operator must correct it; nothing was charged. Please try again later.",
      options,
    );
  }
  return new AppError(
    "overloaded",
    "Moderation does not answer at the moment, and nothing is made without it. Nothing was charged; please try again later.",
    options,
  );
}

function refuse(category: ModerationCategory, path: string): ModerationVerdict {
  const code = refusalCode(category);
  return { allowed: false, certainty: "certain", code, category, path, quoted: [] };
}
