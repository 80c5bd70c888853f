export {
  createDatabase,
  idleConnectionMs,
  type Database,
  type DatabaseOptions,
} from "./database.ts";
export {
  describeConnectionUse,
  readConnectionUse,
  warnOfConnections,
  type ConnectionUse,
} from "./connection-use.ts";
export { newId } from "./ids.ts";
export { isStorable, jsonText } from "./json-text.ts";
export { isTransient } from "./transient.ts";
export type { Listener } from "./listen.ts";
export type { Sql } from "./sql.ts";
export { applyMigrations, type MigrateOptions } from "./migrations/apply-migrations.ts";
export { setRoleDefaults } from "./role-defaults.ts";
export type * from "./generated/client.ts";
export { ownedTables } from "./owned-tables.ts";
export { statement, type BoundStatement, type Statement } from "./statement.ts";
export { findDataFolder, withBaseBackup, type BackupLog } from "./physical-backup.ts";
export { compareMigrations, type MigrationDifference } from "./migrations/compare-migrations.ts";
export { readMigrationNames } from "./migrations/migration-files.ts";
