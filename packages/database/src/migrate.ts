import { readdir } from "node:fs/promises";
import { withSchemaEngine, readDatamodel, readMigrations } from "./schema-engine.ts";

const filters = { externalTables: [], externalEnums: [] };

/**
 * Brings a database up to date, as `prisma migrate deploy` does, and with the same record of it.
 *
 * @returns the names of the migrations that were applied now; empty when there was nothing to do.
 */
export async function applyMigrations(databaseUrl: string): Promise<readonly string[]> {
  const migrationsList = await readMigrations(await migrationNames());
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  });
}

/**
 * The SQL that leads from the migrations on disk to `schema.prisma`: what a new migration has to
 * hold, and only a comment when the two agree. Uses a temporary database of the same server.
 */
export async function diffMigrations(databaseUrl: string): Promise<string> {
  const [path, content] = await readDatamodel();
  const migrations = await readMigrations(await migrationNames());
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...migrations },
      to: { tag: "schemaDatamodel", files: [{ path, content }] },
      script: true,
      exitCode: null,
      filters,
    });
    return stdout ?? "";
  });
}

async function migrationNames(): Promise<string[]> {
  const folder = new URL("../../../prisma/migrations/", import.meta.url);
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
