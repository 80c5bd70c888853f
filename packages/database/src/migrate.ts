import { readdir } from "node:fs/promises";
import { withSchemaEngine, readDatamodel, readMigrations } from "./schema-engine.ts";

const filters = { externalTables: [], externalEnums: [] };

/**
 * Applies pending migrations, as `prisma migrate deploy` does, and records them in the same table.
 *
 * @returns the names of the applied migrations; empty when the database was up to date.
 */
export async function applyMigrations(databaseUrl: string): Promise<readonly string[]> {
  const migrationsList = await readMigrations(await migrationNames());
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  });
}

/**
 * The SQL from the migrations on disk to `schema.prisma`: the content of the next migration, or only a
 * comment when both match. Uses a temporary database on the same server.
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
