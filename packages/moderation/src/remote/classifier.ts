import type { Strictness } from "@atelier/schemas";
import type { ModerationCategory } from "../policy.ts";

/** A model elsewhere that judges. It throws ClassifierDown when it gives no judgement. */
export interface Classifier {
  /** Of the model, stored with each decision. */
  readonly name: string;
  /** The category that refuses each text, or null, in the order of the texts. */
  judgeTexts(
    texts: readonly string[],
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<readonly (ModerationCategory | null)[]>;
  /** The category that refuses an image; the method is null where the model cannot see. */
  readonly judgeImage:
    | ((
        image: Uint8Array,
        strictness: Strictness,
        signal: AbortSignal,
      ) => Promise<ModerationCategory | null>)
    | null;
}

/**
 * Why a request gave no judgement.
 *
 * - `unavailable`: no response in time, a lost connection, or a 5xx status.
 * - `rate-limited`: 429.
 * - `misconfigured`: 401, 403, 404, 405 or a redirect: the operator has to correct a setting.
 * - `rejected`: another 4xx. The server does not accept this text or image.
 * - `malformed`: a response that cannot be understood.
 */
export type DownReason =
  | "unavailable"
  | "rate-limited"
  | "misconfigured"
  | "rejected"
  | "malformed";

/** No judgement is available. The message is for operators; it holds no key and no text. */
export class ClassifierDown extends Error {
  override readonly name = "ClassifierDown";
  readonly reason: DownReason;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** When to ask again, in milliseconds; null when the server does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: DownReason,
    message: string,
    facts: Partial<Pick<ClassifierDown, "status" | "retryAfterMs">> = {},
  ) {
    super(message);
    this.reason = reason;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}
