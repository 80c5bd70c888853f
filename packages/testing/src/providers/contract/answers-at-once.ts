import type { ProviderContract } from "./provider-contract.ts";

const reason = "answers at once, has no jobs";

/** The rows that providers without jobs have no behaviour for. */
export const answersAtOnce: ProviderContract["notApplicable"] = {
  "slow job": reason,
  "lost job": reason,
  "failed job": reason,
  "hang when asked": reason,
  "cut short when asked": reason,
  "status 500 when asked": reason,
  "crash while the job runs": reason,
};
