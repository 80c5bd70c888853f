import type { Sql } from "../sql.ts";
import { readMigrationFiles } from "./migration-files.ts";

/** How the schema of a database differs from that of this version. */
export interface MigrationDifference {
  /** Migrations of this version that the database lacks. */
  readonly pending: readonly string[];
  /** Migrations of a newer version. */
  readonly newer: readonly string[];
}

/** Compares the migrations of a database with those of this version. Changes nothing. */
export async function compareMigrations(sql: Sql): Promise<MigrationDifference> {
  const known = (await readMigrationFiles()).map(({ name }) => name);
  const [table] = await sql.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  const rows =
    table?.exists === true
      ? await sql.query<{ name: string }>(
          `SELECT migration_name::text AS name FROM _prisma_migrations
            WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
        )
      : [];
  const applied = new Set(rows.map(({ name }) => name));
  const last = known.at(-1) ?? "";
  return {
    pending: known.filter((name) => !applied.has(name)),
    newer: [...applied].filter((name) => name > last),
  };
}
