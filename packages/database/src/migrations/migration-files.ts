import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { replacedByBaseline } from "./baseline.ts";

const folder = new URL("../../../../prisma/migrations/", import.meta.url);

/** A migration in `prisma/migrations`. */
export interface Migration {
  /** Name of its folder, which begins with the time at which it was written. */
  readonly name: string;
  readonly sql: string;
}

/** The migrations on disk, oldest first. */
export async function readMigrationFiles(): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, folder), "utf8"),
    })),
  );
}

/** SHA-256 of a migration, as Prisma records it. */
export function checksumOf({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** Removes the comments of SQL. */
function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
}

/** The statements of SQL, without comments. Semicolons within dollar quotes do not end a statement. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let statement = "";
  for (const part of withoutComments(sql).split(/(\$\w*\$[\s\S]*?\$\w*\$|'(?:[^']|'')*'|;)/)) {
    if (part === ";") {
      statements.push(statement.trim());
      statement = "";
    } else {
      statement += part;
    }
  }
  return [...statements, statement.trim()].filter((text) => text !== "");
}

/** A statement that creates or drops an index without blocking writes. */
export interface IndexStatement {
  readonly text: string;
  readonly index: string;
  readonly isCreation: boolean;
}

const concurrentStatement =
  /^(?:(CREATE (?:UNIQUE )?INDEX CONCURRENTLY)|DROP INDEX CONCURRENTLY IF EXISTS) "(\w+)"/;

/**
 * The statements of a migration that builds or drops indexes concurrently, which Postgres refuses within
 * a transaction; null for any other migration.
 *
 * @throws Error when such a migration contains other statements.
 */
export function concurrentStatements({ name, sql }: Migration): readonly IndexStatement[] | null {
  const statements = splitStatements(sql);
  if (!statements.some((text) => /\bCONCURRENTLY\b/i.test(text))) return null;
  return statements.map((text) => {
    const [, creation, index] = concurrentStatement.exec(text.replace(/\s+/g, " ")) ?? [];
    if (index === undefined) {
      throw new Error(
        `Migration ${name} builds an index concurrently, so it must contain nothing but ` +
          `CREATE INDEX CONCURRENTLY "<name>" and DROP INDEX CONCURRENTLY IF EXISTS "<name>". ` +
          `Move this to another migration: ${text.slice(0, 80)}`,
      );
    }
    return { text, index, isCreation: creation !== undefined };
  });
}

/** Names of the migrations on disk, and of those that the baseline replaces. */
export async function readMigrationNames(): Promise<readonly string[]> {
  return [...replacedByBaseline, ...(await readMigrationFiles()).map(({ name }) => name)];
}
