import type { KeyMode } from "./keys.ts";
import { resourceQuotas } from "./resources.ts";

/** How much of something an account may have at the same time. Each mode is counted apart. */
interface Quota extends Readonly<Record<KeyMode, number>> {
  /** As the documentation calls it. */
  readonly of: string;
  readonly freedBy: string;
  /** The error of a request beyond it. */
  readonly error: string;
}

/** An amount that the operator sets. Test keys may have a part of it, counted apart unless `isShared`. */
interface SettingQuota extends Omit<Quota, KeyMode> {
  readonly setting: string;
  /** Whether what tests have counts for live keys too. */
  readonly isShared?: boolean;
}

/** Quotas of accounts that the operator does not set. `docs/keys.md` shows them. */
export const quotas = {
  keys: {
    of: "keys",
    live: 100,
    test: 20,
    freedBy: "revocation or expiry",
    error: "too_many_keys",
  },
  webhooks: {
    of: "webhooks",
    live: 20,
    test: 5,
    freedBy: "deletion, or the end of the key",
    error: "too_many_webhooks",
  },
  webhookUrls: {
    of: "URLs in `webhook_url`, without their query",
    live: 100,
    test: 100,
    freedBy: "ten days without a request, or the end of the keys that named it",
    error: "too_many_webhooks",
  },
  batches: {
    of: "unfinished batches",
    live: 10,
    test: 5,
    freedBy: "the end of a batch",
    error: "too_many_jobs",
  },
  members: {
    of: "characters and locations",
    live: 1_000,
    test: 200,
    freedBy: "deletion",
    error: "keep_quota_exceeded",
  },
  ...resourceQuotas,
  starred: {
    of: "starred jobs",
    live: 10_000,
    test: 2_000,
    freedBy: "removing the star",
    error: "too_many_items",
  },
  books: {
    of: "jobs with a book",
    live: 500,
    test: 100,
    freedBy: "removing the book",
    error: "too_many_items",
  },
} as const satisfies Record<string, Quota>;

/** Quotas that a setting names for live keys; test keys have `testShare` of them. */
export const settingQuotas = {
  jobs: {
    of: "unfinished jobs",
    setting: "MAX_UNFINISHED_JOBS",
    isShared: true,
    freedBy: "the end of a job",
    error: "too_many_jobs",
  },
  streams: {
    of: "event streams, per process",
    setting: "MAX_ACCOUNT_EVENT_STREAMS",
    freedBy: "closing one",
    error: "too_many_streams",
  },
  uploadedBytes: {
    of: "uploads, in MB",
    setting: "UPLOAD_QUOTA_MB",
    freedBy: "deletion or expiry",
    error: "upload_quota_exceeded",
  },
  keptBytes: {
    of: "kept images, in MB",
    setting: "KEEP_QUOTA_MB",
    freedBy: "releasing or deleting what is kept",
    error: "keep_quota_exceeded",
  },
} as const satisfies Record<string, SettingQuota>;

/** The part of an amount that a setting names for live keys which test keys may have. */
export function quotaOf(mode: KeyMode, amount: number): number {
  return mode === "test" ? Math.max(Math.min(1, amount), Math.floor(amount / 5)) : amount;
}
