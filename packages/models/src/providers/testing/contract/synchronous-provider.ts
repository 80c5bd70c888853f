import type { ProviderContract } from "./provider-contract.ts";

const reason = "responds at once, without jobs";

/** Rows that do not apply to providers without jobs. */
export const synchronousProvider: ProviderContract["notApplicable"] = {
  "slow job": reason,
  "lost job": reason,
  "failed job": reason,
  "poll hangs": reason,
  "poll truncated": reason,
  "poll status 500": reason,
  "crash while the job runs": reason,
};
