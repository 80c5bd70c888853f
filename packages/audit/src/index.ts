export { auditDatabase, type Finding } from "./audit-database.ts";
export {
  auditOperatorLog,
  OperatorLogKeyError,
  beginKey,
  operatorLogCheck,
  readHead,
  readOperatorLog,
  recordAlone,
  recordOperation,
  recordUnlessRefused,
  suspensionOf,
  type KeyReason,
  type LoggedOperation,
  type LogHead,
  type Operation,
} from "./operator-log.ts";
export { auditFiles, fileChecks, type AuditedStorage } from "./audit-files.ts";
