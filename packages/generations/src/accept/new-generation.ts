import type { BoundStatement } from "@atelier/database";
import type { NewReceiver } from "@atelier/events";
import type { EventType, GenerationPlan } from "@atelier/schemas";
import type { AnswerClaim } from "./answers.ts";
import type { BatchLine } from "../batches/batch-line.ts";

/** A generation to accept: its plan, its caller, and the limits that apply. */
export interface NewGeneration {
  readonly accountId: string;
  /** The requesting API key; its budget is checked and charged. */
  readonly keyId: string;
  /** Hashes of the key's secret in the request, which may have been replaced since; null for a session. */
  readonly secretHashes?: readonly Uint8Array[] | null;
  /** Session of Studio of the request, which may have been ended since. */
  readonly sessionId?: string | null;
  readonly plan: GenerationPlan;
  /**
   * Time from acceptance until unfinished work fails, in milliseconds; of a line of a batch, from its first
   * claim, and at least the time of its batch until then.
   */
  readonly deadlineMs: number;
  readonly maxUnfinishedJobs: number;
  /** Images that an account may request with test keys a day (UTC). Default: none. */
  readonly maxTestImages?: number;
  /**
   * The service is overloaded: an account with unfinished jobs is refused, so that an account without
   * any is still served.
   */
  readonly isBehind?: boolean;
  /** Where the events of the job are sent, as the request says. Default: nowhere besides the account's webhooks. */
  readonly webhook?: RequestWebhook | null;
  /** `X-Request-Id` of the request, by which its job is found. */
  readonly requestId?: string;
  /** Trace context of the request (W3C Trace Context), if any. */
  readonly traceParent?: string | null;
  readonly idempotency: {
    readonly key: string;
    /** SHA-256 of the request. */
    readonly requestHash: Buffer;
    /** Maximum time that the first request waits for its response, in milliseconds. */
    readonly answerWithinMs: number;
  } | null;
  /** Identifies equal requests, so that a repeated one joins the job. Default: it cannot be joined. */
  readonly answer?: Pick<AnswerClaim, "hash" | "requestId"> | null;
  /** The line of a batch that it is accepted for, which must be the next one; null for a request of its own. */
  readonly batch?: BatchLine | null;
}

/** The `webhook_url` of a request. */
export interface RequestWebhook {
  /** The receiver of its account, key and URL. */
  readonly webhookId: string;
  /** The transaction that accepts the request creates the receiver. */
  readonly isNew: boolean;
  readonly url: string;
  readonly events: readonly EventType[];
}

/** Rows that a statement of `insertGeneration` locks before the account. */
export interface EarlierLocks {
  readonly sessionIds: readonly string[];
  /** The job whose image the request changes, and its account. */
  readonly sourceJobIds: readonly string[];
  readonly sourceAccountIds: readonly string[];
  readonly imageKeys: readonly string[];
  readonly uploadIds: readonly string[];
  readonly keptKeys: readonly string[];
}

/** The statement that accepts a generation. */
export interface Insert {
  readonly bound: BoundStatement;
  readonly locks: EarlierLocks;
  /** Receiver of the `webhook_url` that is created in the same transaction; null for a known one. */
  readonly receiver: NewReceiver | null;
}

/** The account after a generation was accepted. */
export interface Inserted {
  /** The priority falls with it, so that ten thousand jobs of one account do not delay the first of another. */
  readonly unfinishedRenders: number;
  readonly hasDeliveries: boolean;
}
