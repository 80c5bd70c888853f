export {
  announceProgress,
  progressChannel,
  readProgress,
  type AnnouncedProgress,
} from "./announce-progress.ts";
export { attendRenders } from "./attend.ts";
export { decodeCost, encodeCost, type CallCost } from "./call-cost.ts";
export {
  avifImages,
  imageOptions,
  markupEdits,
  needsNewerWorker,
  sizedEdits,
  testRenders,
  tools,
  afterSteps,
  scaledImages,
  uncheckedReferences,
} from "./capability.ts";
export { claimRender, type Claim } from "./claim.ts";
export { type Dispatch } from "./dispatch.ts";
export {
  laneHealthChannel,
  watchLaneHealth,
  type BreakerLimits,
  type LaneHealth,
  type LaneState,
} from "./lane-health.ts";
export { watchLaneLoad, type LaneLoad } from "./lane-load.ts";
export { findNextInLine } from "./next-in-line.ts";
export { postponeRender } from "./postpone.ts";
export {
  earlierCalls,
  listUnits,
  recordIntent,
  recordRequestId,
  type EarlierCall,
  type RecordedOutcome,
} from "./provider-calls.ts";
export { findOverdue, forgetIdempotencyKeys, readOutlook, takeUnattended } from "./recover.ts";
export { markRendersSwept, readSettledRenders } from "./settled-renders.ts";
export { switchModel, type ModelSwitch, type SwitchResult } from "./switch-model.ts";
export { listWaitingJobs, type WaitingJob } from "./wait-estimate.ts";
