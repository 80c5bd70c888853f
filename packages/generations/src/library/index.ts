export { changeCollection, createCollection, deleteCollection } from "./change-collection.ts";
export { changeNote } from "./change-note.ts";
export {
  collectionNotFound,
  findCollection,
  listCollections,
  readCollectedJobs,
  type StoredCollection,
} from "./collections.ts";
export { giveUpLost } from "./give-up-lost.ts";
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
export {
  deletePreset,
  findPreset,
  listPresets,
  presetNotFound,
  savePreset,
  type StoredPreset,
} from "./presets.ts";
export { assertRoomToKeep, readKeptUsage } from "./reserve.ts";
