import { readDatamodel, toMigrationList, withSchemaEngine } from "./schema-engine.ts";
import { readMigrationFiles } from "../migration-files.ts";

/**
 * The SQL from the migrations on disk to `schema.prisma`: the content of the next migration, or only a
 * comment when both match. Uses a temporary database on the same server.
 */
export async function diffMigrations(databaseUrl: string): Promise<string> {
  const [path, content] = await readDatamodel();
  const migrations = await readMigrationFiles();
  return withSchemaEngine(databaseUrl, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...toMigrationList(migrations) },
      to: { tag: "schemaDatamodel", files: [{ path, content }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? "";
  });
}
