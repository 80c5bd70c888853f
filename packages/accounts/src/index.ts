export {
  createAccount,
  findAccount,
  listAccounts,
  setStrictness,
  setSuspended,
  type AccountInfo,
} from "./accounts.ts";
export {
  authenticateAndLimit,
  authenticate,
  createKey,
  listKeys,
  revokeKey,
  type Admission,
  type ApiKeyInfo,
  type Caller,
} from "./keys.ts";
export {
  rateLimitWindowMs,
  takeFromLimit,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";
