export { auditDatabase, type Finding } from "./audit-database.ts";
export { auditFiles, type AuditedStorage } from "./audit-files.ts";
