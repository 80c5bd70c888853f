export { updateAccount, type AccountSettings } from "./account-settings.ts";
export {
  insertAccount,
  insertKey,
  listAccounts,
  prepareKey,
  revokeUnused,
  type NewKey,
} from "./account-rows.ts";
export { createAccount, findAccount, type AccountInfo } from "./accounts.ts";
export {
  authenticateAndLimit,
  authenticate,
  callerChannel,
  findCallerOfKey,
  type Admission,
  type Caller,
  type Credential,
} from "./authenticate.ts";
export { endLeftovers, hasWebhookToEnd, type Ended } from "./end-keys.ts";
export { forgetMembers } from "./forget-members.ts";
export { isWellFormedKey } from "./key-format.ts";
export { hasScopesOfShare, isValidKey, webhookEnd } from "./key-conditions.ts";
export { joinByGroup, type GroupRole, type NamedIdentity } from "./group-members.ts";
export { bindIdentity, findIdentified, type Identity, type IdentityRefusal } from "./identities.ts";
export { lockAccount, lockRights, manage, rightsChannel, type Managing } from "./manage.ts";
export {
  applyMakersReadAll,
  changeMember,
  disableMember,
  findMember,
  findMemberOfKey,
  handOver,
  inviteMember,
  listMembers,
  memberNotFound,
  readMemberIds,
  removeMember,
  renewSecret,
  type Member,
} from "./members.ts";
export { endedCredential, refusedKey, suspendedAccount, type KeyRefusal } from "./refusals.ts";
export { findEndedRights, type StreamRight } from "./find-ended-rights.ts";
export { beginErasure, type Erasure } from "./erase.ts";
export {
  changeKey,
  endKey,
  makeSecretKey,
  mintKey,
  revokeKey,
  rotateKey,
  timeInDays,
  type KeyChange,
  type KeyLimits,
  type NewSecret,
} from "./key-lifecycle.ts";
export type { Peppers } from "@atelier/kit";
export { countPepperUse, type PepperUse } from "./pepper-use.ts";
export { readKeyNames } from "./key-names.ts";
export type { LineageKey } from "./lineage.ts";
export { createKey, findKey, listKeys, type ApiKeyInfo, type KeySettings } from "./keys.ts";
export { assertMayChangeThing } from "./own-things.ts";
export {
  assertMayChange,
  assertMayEnd,
  assertMayReceive,
  assertLive,
  assertMaySetAccount,
  assertUnlimited,
  assertScope,
  makerOfWebhook,
  type TargetKey,
} from "./rights.ts";
export {
  BucketBusyError,
  chargeGeneration,
  chargeLimit,
  forgetFullBuckets,
  noLease,
  rateLimitWindowMs,
  returnLeases,
  takeFromDay,
  takeFromLimit,
  type DailyLimit,
  type LeaseDemand,
  type UnusedLease,
  type RateLimit,
  type RateLimitState,
} from "./rate-limit.ts";
export {
  createStudioLink,
  isWellFormedLink,
  forgetStudioLinks,
  peekStudioLink,
  redeemStudioLink,
  studioLinkUrl,
} from "./studio-links.ts";
export {
  closeStudioSession,
  endOwnStudioSessions,
  endStudioSession,
  listStudioSessions,
  openStudioSession,
  type StudioSession,
} from "./studio-sessions.ts";
export { setSuspended } from "./suspend.ts";
