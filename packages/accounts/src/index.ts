export {
  createAccount,
  findAccount,
  listAccounts,
  updateAccount,
  type AccountInfo,
  type AccountSettings,
} from "./accounts.ts";
export {
  authenticateAndLimit,
  authenticate,
  type Admission,
  type Caller,
  type KeyRefusal,
} from "./authenticate.ts";
export { findRefusedKeys } from "./find-refused-keys.ts";
export { beginErasure, type Erasure } from "./erase.ts";
export { countLiveKeys, revokeKey, rotateKey, timeInDays } from "./key-lifecycle.ts";
export {
  createKey,
  discardKey,
  findKey,
  listKeys,
  updateKey,
  type ApiKeyInfo,
  type KeySettings,
} from "./keys.ts";
export { assertMayMint, maxLiveKeys } from "./minting.ts";
export {
  BucketBusyError,
  chargeGeneration,
  chargeLimit,
  forgetFullBuckets,
  rateLimitWindowMs,
  takeFromLimit,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";
export {
  createStudioLink,
  forgetStudioLinks,
  redeemStudioLink,
  studioLinkUrl,
} from "./studio-links.ts";
export { setSuspended } from "./suspend.ts";
