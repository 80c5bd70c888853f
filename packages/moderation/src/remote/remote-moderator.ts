import { AppError, type Strictness } from "@atelier/schemas";
import type { ModerationRequest, ModerationVerdict, Moderator } from "../moderator.ts";
import { gravity, refusalCode, type ModerationCategory } from "../policy.ts";
import { textsToAsk } from "../texts-of-images.ts";
import { ClassifierDown, type Classifier } from "./classifier.ts";

export interface RemoteModeratorOptions {
  /** Judges first. What it refuses is final and is not sent to the classifier. */
  readonly rules: Moderator;
  readonly classifier: Classifier;
  /** While the classifier is down: refuse everything, or let the rules decide alone. */
  readonly whenDown: "refuse" | "allow";
  /** Told whenever it is. */
  readonly onDown: (error: Error) => void;
}

/** A moderator that also asks a model elsewhere, which can only refuse more. */
export interface RemoteModerator extends Moderator {
  /**
   * Judges a generated image. Its `path` is `image`.
   *
   * @throws AppError `overloaded`, which may be tried again, while the classifier is down.
   */
  moderateImage(
    image: Uint8Array,
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<ModerationVerdict>;
}

const retryAfterMs = 5_000;

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
      throw new AppError(
        "overloaded",
        "Moderation does not answer at the moment, and nothing is made without it. Nothing was charged; please try again later.",
        { retryable: true, retryAfterMs, cause: error },
      );
    }
  }

  async function askAboutTexts(
    { texts, strictness }: ModerationRequest,
    signal: AbortSignal,
  ): Promise<ModerationVerdict> {
    const different = textsToAsk(texts);
    if (different.length === 0) return { allowed: true };
    const judged = classifier.judgeTexts(
      different.map(({ text }) => text),
      strictness,
      signal,
    );
    const categories = (await unlessDown(judged)) ?? [];
    let verdict: ModerationVerdict = { allowed: true };
    for (const [index, category] of categories.entries()) {
      if (category === null) continue;
      if (!verdict.allowed && gravity(category) >= gravity(verdict.category)) continue;
      verdict = refuse(category, different[index]?.path ?? "prompt");
    }
    return verdict;
  }

  return {
    name: `${rules.name}+${classifier.name}`,
    async moderate(request, signal) {
      const verdict = await rules.moderate(request, signal);
      return verdict.allowed ? askAboutTexts(request, signal) : verdict;
    },
    async moderateImage(image, strictness, signal) {
      if (classifier.judgeImage === null) return { allowed: true };
      const category = await unlessDown(classifier.judgeImage(image, strictness, signal));
      return category === null ? { allowed: true } : refuse(category, "image");
    },
  };
}

function refuse(category: ModerationCategory, path: string): ModerationVerdict {
  const code = refusalCode(category);
  return { allowed: false, certainty: "certain", code, category, path, quoted: [] };
}
