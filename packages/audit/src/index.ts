export { auditDatabase, type Finding } from "./audit-database.ts";
export { auditImages, type AuditedStorage } from "./audit-images.ts";
