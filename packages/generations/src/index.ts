export {
  acceptGeneration,
  endIdempotentWait,
  findIdempotentUse,
  overloaded,
  type Acceptance,
  type AcceptRequest,
  type IdempotentUse,
} from "./accept.ts";
export { cancelAsRequested, cancelGeneration, jobNotFound, type Cancellation } from "./cancel.ts";
export { claimRender, type Claim } from "./claim.ts";
export { findImageKey, findPreviousTurn, findRenderId } from "./earlier-images.ts";
export {
  filterFinal,
  findGeneration,
  isFinal,
  listGenerations,
  type FoundGeneration,
} from "./find.ts";
export { finalChannel } from "./end-generation.ts";
export { failGeneration } from "./fail.ts";
export { finishRender, type FinishResult, type StoredImage } from "./finish.ts";
export { postponeRender } from "./postpone.ts";
export {
  watchLaneHealth,
  type BreakerLimits,
  type LaneHealth,
  type LaneState,
} from "./lane-health.ts";
export { watchLaneLoad, type LaneLoad } from "./lane-load.ts";
export { extendLease, takeLease } from "./lease.ts";
export { startLoop, type Loop } from "./loop.ts";
export { recordRefusal, wasAllowed, type Decision } from "./moderation-decisions.ts";
export { presentJob, presentResult, type Sign } from "./present.ts";
export {
  earlierCalls,
  recordIntent,
  recordRequestId,
  type EarlierCall,
  type RecordedOutcome,
} from "./provider-calls.ts";
export { findOverdue, forgetExpired, takeUnattended } from "./recover.ts";
export { switchModel, type ModelSwitch, type SwitchResult } from "./switch-model.ts";
export { readTotals } from "./totals.ts";
export {
  describeRenderFiles,
  findExpiredImages,
  markImagesDeleted,
  type ExpiredImage,
  type RenderFiles,
} from "./retain.ts";
