export {
  acceptGeneration,
  assertReferencesKept,
  endIdempotentWait,
  findIdempotentUse,
  type Acceptance,
  type AcceptRequest,
  type RequestWebhook,
  type IdempotentUse,
  referenceGone,
} from "./accept.ts";
export {
  giveAnswer,
  joinAnswer,
  loseAnswer,
  type AnswerClaim,
  type AnswerHolder,
} from "./answers.ts";
export { archiveJobs, type ArchiveResult } from "./archive/archive-jobs.ts";
export { readParts, type ArchivePart } from "./archive/archive-parts.ts";
export { assertNotArchived } from "./archive/archived-jobs.ts";
export { readArchivedJobs, type ArchivedJob } from "./archive/archived-account.ts";
export { createExportedJobs } from "./archive/exported-jobs.ts";
export { createAcceptor, type Acceptor } from "./acceptor.ts";
export { readTakenLines, type TakenLine } from "./batches/batch-results.ts";
export {
  batchNotFound,
  BatchKeyTakenError,
  batchChannel,
  createBatch,
  findBatch,
  findBatchOfKey,
  forgetBatches,
  forgetBatchUrls,
  forgetLostParts,
  forgetParts,
  listBatches,
  requestCancellation,
  storePart,
  type Batch,
  type NewPart,
} from "./batches/batches.ts";
export { priorityInBatch, type BatchLine } from "./batches/batch-line.ts";
export {
  batchPlaceChannel,
  findLanesInWait,
  returnToPlaces,
  takeForPlace,
} from "./batches/places.ts";
export {
  forgetTakenParts,
  LineTakenError,
  readPart,
  refuseLine,
  type RequestPart,
} from "./batches/take-lines.ts";
export {
  endBatch,
  endTurn,
  hasUnfinishedBatch,
  listUnfinishedJobs,
  recordWait,
  stopBatch,
  takeTurn,
  type BatchTurn,
} from "./batches/turns.ts";
export { createAccountLines, type LineLimits } from "./account-lines.ts";
export { eraseAccount, isFullyErased, type Erased } from "./erase/erase-account.ts";
export { type ErasureRecords } from "./erase/erasure-records.ts";
export { repeatErasures, type RepeatedErasures } from "./erase/repeat-erasures.ts";
export { findReferencedFiles } from "./referenced-files.ts";
export { createFinisher, type Finisher } from "./endings/finisher.ts";
export { overloaded } from "./overloaded.ts";
export {
  backfills,
  readBackfills,
  repeatBackfill,
  runBackfillBatch,
  type BackfillProgress,
} from "./backfills.ts";
export { decodeCost, encodeCost, type CallCost } from "./claims/call-cost.ts";
export { cancelAllRequested } from "./endings/cancel-all-requested.ts";
export {
  cancelAsRequested,
  cancelGeneration,
  jobNotFound,
  type Cancellation,
} from "./endings/cancel.ts";
export {
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
export { reportCosts } from "./costs.ts";
export { claimRender, type Claim } from "./claims/claim.ts";
export {
  findImageKey,
  findPreviousScene,
  findRenderId,
  findResultKey,
  type FinishedScene,
} from "./earlier-images.ts";
export {
  filterFinal,
  findGeneration,
  findGenerations,
  isFinal,
  readDetails,
  type FoundGeneration,
  type FoundImage,
  type FoundRender,
  type Owner,
} from "./find.ts";
export {
  findDossier,
  forgetDossiers,
  listManifests,
  type ManifestOwner,
} from "./retention/dossiers.ts";
export { markRendersSwept, readSettledRenders } from "./claims/settled-renders.ts";
export { listAmong, listGenerations, searchGenerations } from "./list.ts";
export { changeNote } from "./notes/change-note.ts";
export {
  deletePreset,
  findPreset,
  listPresets,
  presetNotFound,
  savePreset,
  type StoredPreset,
} from "./presets/presets.ts";
export {
  changeCollection,
  createCollection,
  deleteCollection,
} from "./collections/change-collection.ts";
export {
  collectionNotFound,
  findCollection,
  listCollections,
  readCollectedJobs,
  type StoredCollection,
} from "./collections/collections.ts";
export {
  announceProgress,
  progressChannel,
  readProgress,
  type AnnouncedProgress,
} from "./claims/announce-progress.ts";
export { finalChannel } from "./endings/end-generation.ts";
export { AccountBusyError } from "./endings/end-generation.ts";
export { failGeneration } from "./endings/fail.ts";
export { failAllOverdue, passedDeadline } from "./endings/fail-overdue.ts";
export {
  finishRender,
  type FinishResult,
  type RenderMark,
  type StoredImage,
} from "./endings/finish.ts";
export { postponeRender } from "./claims/postpone.ts";
export {
  laneHealthChannel,
  watchLaneHealth,
  type BreakerLimits,
  type LaneHealth,
  type LaneState,
} from "./claims/lane-health.ts";
export { claimChecks, dropOldServers, forgetLoad, recordJobs } from "./servers/checks.ts";
export type { EngineLoad, Loads } from "./servers/choose-server.ts";
export { readBacklog, type Backlog } from "./servers/backlog.ts";
export {
  enginePlaceChannel,
  givePlaceBack,
  resumePlace,
  startWaiting,
  takePlace,
  type Candidate,
  type Place,
  type PlaceEnd,
  type PlaceRequest,
} from "./servers/places.ts";
export { watchLaneLoad, type LaneLoad } from "./claims/lane-load.ts";
export { listWaitingJobs, type WaitingJob } from "./claims/wait-estimate.ts";
export { findNextInLine } from "./claims/next-in-line.ts";
export {
  listSpecs,
  recordApprovals,
  recordRefusal,
  wasAllowed,
  wereInputsAllowed,
  type Decision,
} from "./moderation-decisions.ts";
export {
  earlierCalls,
  listUnits,
  recordIntent,
  recordRequestId,
  type EarlierCall,
  type RecordedOutcome,
} from "./claims/provider-calls.ts";
export { attendRenders } from "./claims/attend.ts";
export {
  findOverdue,
  forgetIdempotencyKeys,
  readOutlook,
  takeUnattended,
} from "./claims/recover.ts";
export { switchModel, type ModelSwitch, type SwitchResult } from "./claims/switch-model.ts";
export { readTotals } from "./totals.ts";
export {
  markRedaction,
  redactAfterDeletion,
  redactOldGenerations,
  type RedactionCursor,
  type RedactionMark,
} from "./retention/redact.ts";
export {
  deleteImages,
  describeRenderFiles,
  jobNotFinal,
  findImagesToRemove,
  markExpiredImages,
  markImagesRemoved,
  type ExpiredImage,
  type RenderFiles,
} from "./retention/retain.ts";
export {
  countEarlierDeletions,
  listAccountRetentions,
  markExpiredOfAccount,
  type AccountRetention,
} from "./retention/retain-by-account.ts";
export { explainJob, type JobEvent } from "./inspect/explain-job.ts";
export {
  findJobs,
  type ArchivedTrace,
  type FoundJobs,
  type JobClue,
  type JobOfAccount,
} from "./inspect/find-jobs.ts";
export { changeMember } from "./cast/change-member.ts";
export { createMember } from "./cast/create-member.ts";
export { deleteMember } from "./cast/delete-member.ts";
export {
  assertFewMembers,
  findDrawnMember,
  findMemberOfKey,
  findMembers,
  listMembers,
  memberNotFound,
  type Member,
} from "./cast/member.ts";
export { keepJob, keepRequested, releaseJob } from "./kept/keep-job.ts";
export {
  findFilesToCopy,
  findKeptSizes,
  findKeptToRemove,
  forgetKept,
  markCopied,
  type FileToCopy,
} from "./kept/kept-files.ts";
export { keepingChannel } from "./kept/keeping-channel.ts";
export { findKeepingWork } from "./kept/keeping-work.ts";
export { giveUpLost } from "./kept/give-up-lost.ts";
export { listKept, type KeptItem } from "./kept/list-kept.ts";
export { assertRoomToKeep, readKeptUsage } from "./kept/reserve.ts";
export { chooseScene, readChosenScenes } from "./chosen-scenes.ts";
export type { Dispatch } from "./claims/dispatch.ts";
export {
  listWithoutHash,
  openRegistry,
  registerOlderImages,
  setPerceptualHash,
  type ImageWithoutHash,
  type RegisteredImage,
} from "./registry.ts";
export {
  completeUpload,
  deleteUploads,
  findUpload,
  findStoredSize,
  findUploadFacts,
  findUploadOfKey,
  markUploadUnusable,
  forgetUploads,
  listUploads,
  reserveUpload,
  takeUploadsToRemove,
  UploadKeyTakenError,
  type Upload,
  type UploadCursor,
} from "./uploads.ts";
export {
  forgetUndeleted,
  listUndeleted,
  rememberUndeleted,
} from "./retention/undeleted-dossiers.ts";
