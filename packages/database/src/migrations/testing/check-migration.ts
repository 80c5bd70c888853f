import { splitStatements, type Migration } from "../migration-files.ts";

/** Tables that stay small, so that a scan, a rewrite or an index takes milliseconds. */
const smallTables: ReadonlySet<string> = new Set([
  "account",
  "api_key",
  "backfill",
  "engine_place",
  "engine_server",
  "engine_speed",
  "lane_health",
  "recurring_task",
  "studio_link",
  "sweep_progress",
  "test_webhook_secret",
  "undeleted_dossier",
  "webhook",
  "webhook_secret",
]);

const table = String.raw`(?:IF EXISTS )?(?:ONLY )?"?(\w+)"?`;

const alterTable = new RegExp(`^ALTER TABLE ${table} (.*)$`, "i");
const createIndex = new RegExp(
  String.raw`^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?"?\w+"? ON ${table}`,
  "i",
);
const changeRows = new RegExp(
  `^(?:WITH .* )?(?:UPDATE|INSERT INTO|DELETE FROM|MERGE INTO|COPY|TRUNCATE(?: TABLE)?) ${table}`,
  "i",
);

/** Parts of ALTER TABLE that rewrite or scan the table while all others wait. */
const slowChanges: readonly (readonly [RegExp, string])[] = [
  [/\bALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/i, "add a column and backfill it"],
  [
    /\bADD (?:COLUMN )?(?:IF NOT EXISTS )?"?\w+"? [^,]*\bDEFAULT [^,]*(?:random|uuid|nextval|clock_timestamp|timeofday)\w*\(/i,
    "add the column without a default, set the default, and backfill it",
  ],
  [/\bADD (?:COLUMN )?[^,]*\b(?:BIG|SMALL)?SERIAL\b/i, "fill the column in a backfill"],
  [/\bADD (?:COLUMN )?[^,]*\bGENERATED\b/i, "fill the column in a backfill"],
  [
    /\bSET NOT NULL\b/i,
    "add a CHECK (… IS NOT NULL) NOT VALID, and validate it in the next migration",
  ],
  [
    /\bADD CONSTRAINT "?\w+"? (?:CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/i,
    "add it NOT VALID, and validate it in the next migration",
  ],
  [
    /\bADD (?:CONSTRAINT "?\w+"? )?(?:PRIMARY KEY|UNIQUE|EXCLUDE)\b(?!.*\bUSING INDEX\b)/i,
    "build the index with CREATE UNIQUE INDEX CONCURRENTLY, and add the constraint USING INDEX",
  ],
  [/\bSET (?:LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i, "create another table"],
];

/**
 * Checks a migration after the baseline against the rules of CONTRIBUTING.md: it must not block a
 * growing table, and the previous version must run on its schema.
 *
 * @returns the violations, each with what to do instead.
 */
export function checkMigration({ name, sql }: Migration): string[] {
  const statements = splitStatements(sql).map((text) => text.replace(/\s+/g, " "));
  const created = new Set(
    statements.flatMap((text) => {
      const found = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)"?/i.exec(text);
      return found?.[1] === undefined ? [] : [found[1]];
    }),
  );
  const isGrowing = (found: string | undefined) =>
    found !== undefined && !created.has(found) && !smallTables.has(found);
  const hasContractNote = /^-- Contract: unused since \S+/m.test(sql);
  const changesSchema = statements.some((text) => /^(?:CREATE|ALTER|DROP) /i.test(text));

  return statements
    .flatMap((text): string[] => {
      if (/^(?:BEGIN|START TRANSACTION|COMMIT|END|ROLLBACK|SAVEPOINT)\b/i.test(text)) {
        return ["it controls the transaction, which the runner does with its lock timeout"];
      }
      if (/\b(?:SET|RESET|set_config\()[^;]*(?:lock|statement)_timeout/i.test(text)) {
        return ["it changes a timeout; the runner sets the lock timeout of every migration"];
      }
      if (/^(?:CLUSTER|VACUUM|REINDEX|LOCK)\b/i.test(text)) {
        return ["it locks a table for long; leave this to operators"];
      }
      const [, concurrently, indexed] = createIndex.exec(text) ?? [];
      if (isGrowing(indexed) && concurrently === undefined) {
        return [
          `it blocks writes to ${indexed}: use CREATE INDEX CONCURRENTLY in a migration of its own`,
        ];
      }
      const [, changed] = changeRows.exec(text) ?? [];
      if (changed !== undefined && !created.has(changed) && changesSchema) {
        return [
          `it changes rows of ${changed} beside the schema: write a backfill (see backfills.ts)`,
        ];
      }
      if (isGrowing(changed)) {
        return [`it changes rows of ${changed} at once: write a backfill (see backfills.ts)`];
      }
      if (
        /^DROP TABLE|^ALTER TABLE .*(?: DROP (?!CONSTRAINT|NOT NULL|DEFAULT|EXPRESSION)| RENAME )/i.test(
          text,
        )
      ) {
        if (!hasContractNote && !/^ALTER TABLE .* ALTER (?:COLUMN )?"?\w+"? DROP /i.test(text)) {
          return [
            `the previous version may still use what it removes or renames: add "-- Contract: unused since <version>" once no supported version does`,
          ];
        }
      }
      const [, altered, change = ""] = alterTable.exec(text) ?? [];
      if (!isGrowing(altered)) return [];
      if (/\bVALIDATE CONSTRAINT\b/i.test(change) && statements.length > 1) {
        return [
          `it validates a constraint of ${altered} while the other statements lock it: use a migration of its own`,
        ];
      }
      return slowChanges
        .filter(([pattern]) => pattern.test(change))
        .map(([, advice]) => `it rewrites or scans ${altered} under a lock: ${advice}`);
    })
    .map((problem) => `${name}: ${problem}.`);
}
