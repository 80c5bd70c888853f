export { archiveJobs, type ArchiveResult } from "./archive-jobs.ts";
export { readParts, type ArchivePart } from "./archive-parts.ts";
export { findArchivedCharge, readArchivedJobs, type ArchivedJob } from "./archived-account.ts";
export { assertNotArchived } from "./archived-jobs.ts";
export { createExportedJobs } from "./exported-jobs.ts";
