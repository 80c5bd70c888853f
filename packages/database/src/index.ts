export { createDatabase, type Database, type DatabaseOptions } from "./database.ts";
export { newId } from "./ids.ts";
export { isTransient } from "./transient.ts";
export type { Listener } from "./listen.ts";
export type { Sql } from "./sql.ts";
export { applyMigrations, type MigrateOptions } from "./migrations/apply-migrations.ts";
export { setRoleTimeouts } from "./role-timeouts.ts";
export type * from "./generated/client.ts";
export { statement, type Statement } from "./statement.ts";
