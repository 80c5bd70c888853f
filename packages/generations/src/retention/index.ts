export {
  backfills,
  readBackfills,
  repairs,
  repeatBackfill,
  runBackfillBatch,
  type BackfillProgress,
} from "./backfills.ts";
export { findDossier, forgetDossiers, listManifests, type ManifestOwner } from "./dossiers.ts";
export {
  markRedaction,
  redactAfterDeletion,
  redactOldGenerations,
  type RedactionCursor,
  type RedactionMark,
} from "./redact.ts";
export { findReferencedFiles } from "./referenced-files.ts";
export {
  countEarlierDeletions,
  listAccountRetentions,
  markExpiredOfAccount,
  type AccountRetention,
} from "./retain-by-account.ts";
export {
  deleteImages,
  describeRenderFiles,
  jobNotFinal,
  findImagesToRemove,
  markExpiredImages,
  markImagesRemoved,
  type ExpiredImage,
  type RenderFiles,
} from "./retain.ts";
export { forgetUndeleted, listUndeleted, rememberUndeleted } from "./undeleted-dossiers.ts";
