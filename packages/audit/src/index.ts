export { auditDatabase, type Finding } from "./audit-database.ts";
export { auditFiles, fileChecks, type AuditedStorage } from "./audit-files.ts";
