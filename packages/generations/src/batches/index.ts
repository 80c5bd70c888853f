export { priorityInBatch, type BatchLine } from "./batch-line.ts";
export { readTakenLines, type TakenLine } from "./batch-results.ts";
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
} from "./batches.ts";
export { batchPlaceChannel, findLanesInWait, returnToPlaces, takeForPlace } from "./places.ts";
export {
  forgetTakenParts,
  LineTakenError,
  readPart,
  refuseLine,
  type RequestPart,
} from "./take-lines.ts";
export {
  endBatch,
  endTurn,
  hasUnfinishedBatch,
  listUnfinishedJobs,
  recordWait,
  stopBatch,
  takeTurn,
  type BatchTurn,
} from "./turns.ts";
