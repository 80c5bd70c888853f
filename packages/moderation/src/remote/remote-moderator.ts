import { AppError, type Strictness } from "@atelier/schemas";
import type { Moderator } from "../moderator.ts";
import type { ModerationRequest, ModerationVerdict } from "../moderation-request.ts";
import { refusalCode } from "../policy.ts";
import { textsToAsk } from "../texts-of-images.ts";
import { RemoteDown, isOfServer, type Classifier, type LocatedFinding } from "./classifier.ts";

export interface RemoteModeratorOptions {
  /** Judges first. Its certain refusals are final and are not sent to the classifier. */
  readonly rules: Moderator;
  readonly classifier: Classifier;
  /**
   * While the classifier's server is down: generate nothing, or let the rules decide alone. An uncertain
   * refusal of the rules stands in both cases.
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

type Refusal = Extract<ModerationVerdict, { allowed: false }>;

const shortestRetryMs = 5_000;

/** Adds a classifier to the rules. Each different text of a request is judged once. */
export function createRemoteModerator(options: RemoteModeratorOptions): RemoteModerator {
  const { rules, classifier, whenDown, onDown } = options;

  async function unlessDown<Judgement>(work: Promise<Judgement>): Promise<Judgement | null> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof RemoteDown)) throw error;
      onDown(error);
      // A client could write a text that makes the model give no judgement.
      if (whenDown === "allow" && isOfServer(error)) return null;
      throw toAppError(error);
    }
  }

  async function askAboutTexts(
    { texts }: ModerationRequest,
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<LocatedFinding | null> {
    const different = textsToAsk(texts);
    return different.length === 0 ? null : classifier.judgeTexts(different, strictness, signal);
  }

  /**
   * The classifier's decision on an uncertain match. The match stands while the classifier is down, and when the
   * classifier is uncertain, too.
   */
  async function decideUncertain(
    match: ModerationVerdict,
    request: ModerationRequest,
    signal: AbortSignal,
  ): Promise<ModerationVerdict> {
    try {
      // Not every model separates minors from adults: what only `normal` refuses must not clear a match.
      const finding = await askAboutTexts(request, "normal", signal);
      if (finding === null) return isSeenWhole(match, request) ? { allowed: true } : match;
      const refusal = refuse(finding);
      const isFinal = refusal.certainty === "certain";
      const isForBoth = request.strictness === "normal" || refusal.code === "content_illegal";
      return isFinal && isForBoth ? refusal : match;
    } catch (error) {
      if (!(error instanceof RemoteDown)) throw error;
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
      const { strictness } = request;
      return decideClear(await unlessDown(askAboutTexts(request, strictness, signal)), strictness);
    },
    async moderateImage(image, strictness, signal) {
      if (classifier.judgeImage === null) return { allowed: true };
      const finding = await unlessDown(classifier.judgeImage(image, strictness, signal));
      return decideClear(finding === null ? null : { ...finding, path: "image" }, strictness);
    },
  };
}

/**
 * Whether a model that reads texts can judge an uncertain match: not one that rests on the client's images,
 * or, in the legal floor, on what a negative prompt keeps out of the picture.
 */
function isSeenWhole(
  match: ModerationVerdict,
  { texts, hasClientImages }: ModerationRequest,
): boolean {
  if (match.allowed || refusalCode(match.category) !== "content_illegal") return true;
  const hasNegativePrompt = texts.some(({ path }) => path === "negative_prompt");
  return !hasNegativePrompt && !(hasClientImages && match.category === "real_person_sexual");
}

/** The verdict on what the rules allow, or do not judge. */
function decideClear(finding: LocatedFinding | null, strictness: Strictness): ModerationVerdict {
  if (finding === null) return { allowed: true };
  if (finding.certainty === "uncertain" && strictness === "liberal") return { allowed: true };
  return refuse(finding);
}

/** An uncertain finding is never called illegal. */
function refuse({ category, certainty, path }: LocatedFinding): Refusal {
  const code = certainty === "certain" ? refusalCode(category) : "content_policy_violation";
  return { allowed: false, certainty, code, category, path, quoted: [] };
}

function toAppError(cause: RemoteDown): AppError {
  const retryAfterMs = Math.max(shortestRetryMs, Math.ceil(cause.retryAfterMs ?? 0));
  const options = { retryable: true, retryAfterMs, cause };
  if (cause.reason === "misconfigured") {
    return new AppError(
      "internal_error",
      "Moderation is not configured correctly, and nothing is made without it. The operator must correct it; nothing was charged. Please try again later.",
      options,
    );
  }
  if (!isOfServer(cause)) {
    return new AppError(
      "overloaded",
      "Moderation could not judge the request, and nothing is made without it. Nothing was charged; reword or shorten the request, or try again later.",
      options,
    );
  }
  return new AppError(
    "overloaded",
    "Moderation does not answer at the moment, and nothing is made without it. Nothing was charged; please try again later.",
    options,
  );
}
