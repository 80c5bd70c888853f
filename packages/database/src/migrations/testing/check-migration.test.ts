import { expect, it } from "vitest";
import { baseline } from "../baseline.ts";
import { checkMigration } from "./check-migration.ts";
import { concurrentStatements, readMigrationFiles } from "../migration-files.ts";

/** SQL that is refused, and the reason. */
const refused: readonly (readonly [string, string, RegExp])[] = [
  [
    "an index on a growing table",
    'CREATE INDEX "i" ON "render" ("lane");',
    /blocks writes to render/,
  ],
  ["a unique index", "CREATE UNIQUE INDEX i ON image (sha256);", /CONCURRENTLY/],
  [
    "another type of a column",
    'ALTER TABLE "event" ALTER COLUMN "id" TYPE numeric;',
    /rewrites or scans event/,
  ],
  [
    "a volatile default",
    "ALTER TABLE render ADD COLUMN token UUID NOT NULL DEFAULT gen_random_uuid();",
    /rewrites/,
  ],
  ["a serial column", "ALTER TABLE image ADD COLUMN number BIGSERIAL;", /rewrites/],
  [
    "a generated column",
    "ALTER TABLE image ADD COLUMN area int GENERATED ALWAYS AS (width * height) STORED;",
    /rewrites/,
  ],
  ["NOT NULL", "ALTER TABLE render ALTER COLUMN lane SET NOT NULL;", /NOT VALID/],
  [
    "a checked constraint",
    "ALTER TABLE render ADD CONSTRAINT c CHECK (attempt >= 0);",
    /NOT VALID/,
  ],
  [
    "a foreign key",
    "ALTER TABLE event ADD CONSTRAINT f FOREIGN KEY (account_id) REFERENCES account(id);",
    /NOT VALID/,
  ],
  ["a unique constraint", "ALTER TABLE render ADD CONSTRAINT u UNIQUE (claim_id);", /USING INDEX/],
  ["a change of persistence", "ALTER TABLE event SET UNLOGGED;", /rewrites/],
  [
    "validation beside another statement",
    "ALTER TABLE render ADD CONSTRAINT c CHECK (attempt >= 0) NOT VALID; ALTER TABLE render VALIDATE CONSTRAINT c;",
    /of its own/,
  ],
  [
    "a backfill beside DDL",
    "ALTER TABLE account ADD COLUMN a int; UPDATE account SET a = 1;",
    /beside the schema/,
  ],
  ["a backfill of a growing table", "UPDATE render SET tries = 0;", /write a backfill/],
  [
    "an insert into a growing table",
    "WITH a AS (SELECT 1) INSERT INTO event SELECT * FROM a;",
    /write a backfill/,
  ],
  ["a lock timeout of its own", "SET LOCAL lock_timeout = 0;", /lock timeout/],
  ["the end of the transaction", "COMMIT; ALTER TABLE account ADD COLUMN a int;", /transaction/],
  ["a lock", "LOCK TABLE account;", /locks a table/],
  [
    "a column that the previous version uses",
    'ALTER TABLE "render" DROP COLUMN "turn";',
    /previous version/,
  ],
  ["a renamed column", "ALTER TABLE account RENAME COLUMN name TO title;", /previous version/],
];

it.each(refused)("refuses %s", (_name, sql, reason) => {
  expect(checkMigration({ name: "20270101000000_test", sql }).join("\n")).toMatch(reason);
});

const allowed: readonly (readonly [string, string])[] = [
  [
    "a column with a constant default",
    "ALTER TABLE render ADD COLUMN needs int NOT NULL DEFAULT 0;",
  ],
  [
    "a column with the time as default",
    "ALTER TABLE event ADD COLUMN at timestamptz DEFAULT CURRENT_TIMESTAMP;",
  ],
  [
    "a constraint that is not validated",
    "ALTER TABLE render ADD CONSTRAINT c CHECK (needs >= 0) NOT VALID;",
  ],
  ["a validation of its own", "ALTER TABLE render VALIDATE CONSTRAINT c;"],
  ["a concurrent index", 'CREATE INDEX CONCURRENTLY "i" ON "render" ("lane");'],
  [
    "indexes and rows of a new table",
    "CREATE TABLE t (a int PRIMARY KEY); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1);",
  ],
  ["an index on a small table", "CREATE INDEX i ON webhook (account_id);"],
  [
    "a function with semicolons",
    "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE render SET tries = 0; RETURN NULL; END $$;",
  ],
  ["a removed constraint", "ALTER TABLE render DROP CONSTRAINT c;"],
  [
    "a column that no version uses",
    "-- Contract: unused since 0.3.0\nALTER TABLE render DROP COLUMN turn;",
  ],
  ["a column without NOT NULL", "ALTER TABLE render ALTER COLUMN lane DROP NOT NULL;"],
];

it.each(allowed)("allows %s", (_name, sql) => {
  expect(checkMigration({ name: "20270101000000_test", sql })).toEqual([]);
});

it("finds no problem in the migrations after the baseline", async () => {
  const later = (await readMigrationFiles()).filter(({ name }) => name > baseline);
  expect(later.flatMap(checkMigration)).toEqual([]);
  // Throws for a migration that mixes concurrent indexes with other statements.
  for (const migration of later) concurrentStatements(migration);
});
