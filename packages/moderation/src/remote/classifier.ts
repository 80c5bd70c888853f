import type { Strictness } from "@atelier/schemas";
import type { ModerationText } from "../moderation-request.ts";
import { gravity, type ModerationCategory } from "../policy.ts";

/** Why a model refuses. */
export interface Finding {
  readonly category: ModerationCategory;
  /** `uncertain`: the model calls it controversial, or the category is only near what it names. */
  readonly certainty: "certain" | "uncertain";
}

/** A finding, and the path of the text that it is about. */
export interface LocatedFinding extends Finding {
  readonly path: string;
}

/** A model elsewhere that judges. It throws RemoteDown when it gives no judgement. */
export interface Classifier {
  /** Of the model, stored with each decision. */
  readonly name: string;
  /** The gravest finding in the texts of a request; null when they are safe. */
  judgeTexts(
    texts: readonly ModerationText[],
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<LocatedFinding | null>;
  /** The gravest finding in an image; the method is null where the model cannot see. */
  readonly judgeImage:
    | ((image: Uint8Array, strictness: Strictness, signal: AbortSignal) => Promise<Finding | null>)
    | null;
}

/** The gravest of several findings, certain ones first; null for an empty list. */
export function gravest<Found extends Finding>(findings: readonly Found[]): Found | null {
  const rank = ({ certainty, category }: Finding) =>
    (certainty === "certain" ? 0 : 100) + gravity(category);
  return findings.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

/**
 * Why a request to a remote model gave no result.
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

/** A remote model gave no result. The message is for operators; it holds no key and no text. */
export class RemoteDown extends Error {
  override readonly name = "RemoteDown";
  readonly reason: DownReason;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** When to ask again, in milliseconds; null when the server does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: DownReason,
    message: string,
    facts: Partial<Pick<RemoteDown, "status" | "retryAfterMs">> = {},
  ) {
    super(message);
    this.reason = reason;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/** Whether the server fails, whatever it is asked; otherwise it is the text or image that it does not accept. */
export function isOfServer({ reason }: RemoteDown): boolean {
  return reason === "unavailable" || reason === "rate-limited" || reason === "misconfigured";
}
