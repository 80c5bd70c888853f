import type { ApiConfig } from "../../config.ts";

/** The most that an account may keep, in bytes. */
export function keepQuota({ KEEP_QUOTA_MB }: Pick<ApiConfig, "KEEP_QUOTA_MB">): number {
  return KEEP_QUOTA_MB * 1_000_000;
}
