import { accountEndpoints } from "./accounts.ts";
import { healthEndpoints } from "./health.ts";
import { jobEndpoints } from "./jobs.ts";
import { sessionEndpoints } from "./session.ts";

export * from "./accounts.ts";
export { largeAmountEur } from "./fields.ts";
export * from "./health.ts";
export * from "./jobs.ts";
export * from "./refusals.ts";
export * from "./session.ts";

/** The records of the operations under `/admin/v1`, in the order of the document. */
export const adminEndpoints = [
  ...sessionEndpoints,
  ...accountEndpoints,
  ...jobEndpoints,
  ...healthEndpoints,
] as const;
