export { eraseAccount, isFullyErased, type Erased } from "./erase-account.ts";
export { type ErasureRecords } from "./erasure-records.ts";
export { repeatErasures, type RepeatedErasures } from "./repeat-erasures.ts";
