import { DatabaseError } from "pg";

/** read_only_sql_transaction: a primary that was replaced */
const readOnly = "25006";

const transientStates = new Set([
  readOnly,
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "26000", // invalid_sql_statement_name: the statement that should have parsed it was cancelled
  "42P05", // duplicate_prepared_statement
  "25P03", // idle_in_transaction_session_timeout
  "53100", // disk_full: until an operator makes room
  "53300", // too_many_connections
  "55P03", // lock_not_available
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
]);

const connectionErrors = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  // Name resolution fails while a container is replaced.
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Whether the server accepts no writes, so that its connections are of no use. */
export function isReadOnly(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === readOnly;
}

/** Whether the same transaction may succeed when it is run again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    // Class 08 is "connection exception".
    return transientStates.has(error.code ?? "") || (error.code ?? "").startsWith("08");
  }
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && connectionErrors.has(code)) ||
    error.message.startsWith("Connection terminated") ||
    error.message.includes("not queryable") ||
    error.message === "Query read timeout" ||
    error.message === "timeout exceeded when trying to connect" ||
    error.message === "timeout expired"
  );
}
