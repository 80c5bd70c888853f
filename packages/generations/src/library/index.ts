export { changeCollection, createCollection } from "./change-collection.ts";
export { changeNote } from "./change-note.ts";
export { createShare } from "./create-share.ts";
export { collections, readCollectedJobs, type StoredCollection } from "./collections.ts";
export { giveUpLost } from "./give-up-lost.ts";
export { createSavedItems, type Items, type SavedItem, type SavedItems } from "./items.ts";
export { keepJob, keepRequested, releaseJob } from "./keep-job.ts";
export { keepingChannel } from "./keeping-channel.ts";
export { findKeepingWork } from "./keeping-work.ts";
export {
  findFilesToCopy,
  findKeptSizes,
  findKeptToRemove,
  forgetKept,
  markCopied,
  type FileToCopy,
} from "./kept-files.ts";
export { listKept, type KeptItem } from "./list-kept.ts";
export { assertRoomToKeep, readKeptUsage } from "./reserve.ts";
export {
  createShares,
  endAllShares,
  forgetShares,
  hashToken,
  removeShare,
  type StoredShare,
} from "./shares.ts";
export { findShared, type SharedImage, type SharedPage } from "./shared-page.ts";
