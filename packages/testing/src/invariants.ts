import { auditDatabase, auditFiles, type AuditedStorage } from "@atelier/audit";
import type { Sql } from "@atelier/database";
import { keptPrefix } from "@atelier/schemas";
import type { BilledCall } from "./fake-provider/server.ts";

/**
 * Checks the invariants of the audit, which must hold at any time.
 *
 * @param storage when given, every image and upload in it is read and compared with its recorded hash.
 * @param bill when given, every call that the provider received must be recorded.
 * @throws Error with all violations.
 */
export async function assertInvariants(
  sql: Sql,
  storage?: AuditedStorage,
  bill?: readonly BilledCall[],
): Promise<void> {
  const findings = [...(await auditDatabase(sql))];
  if (storage !== undefined) findings.push(...(await auditFiles(sql, ownFilesOf(sql, storage), 1)));
  const broken = findings
    .filter(({ violations }) => violations > 0)
    .map(({ invariant, examples }) => `${invariant} ${JSON.stringify(examples)}`);
  if (bill !== undefined) broken.push(...(await findUnrecordedCalls(sql, bill)));
  if (broken.length > 0) throw new Error(`broken invariants:\n${broken.join("\n")}`);
}

/** Leaves out the kept files of other databases: suites have one storage, and a database each. */
function ownFilesOf(sql: Sql, storage: AuditedStorage): AuditedStorage {
  return {
    get: (key) => storage.get(key),
    async *list(prefix) {
      if (prefix !== keptPrefix) return yield* storage.list(prefix);
      const jobs = await sql.query<{ id: string }>("SELECT id FROM generation");
      const own = new Set(jobs.map(({ id }) => id));
      for await (const file of storage.list(prefix)) {
        if (own.has(file.key.slice(prefix.length).split("/")[0] ?? "")) yield file;
      }
    },
  };
}

/**
 * Finds renders for which the provider received more calls than we recorded.
 *
 * @returns a line for each of them.
 */
export async function findUnrecordedCalls(
  sql: Sql,
  bill: readonly BilledCall[],
): Promise<string[]> {
  const rows = await sql.query<{ render: string; recorded: number }>(
    "SELECT render_id AS render, count(*)::int AS recorded FROM provider_call GROUP BY render_id",
  );
  const recorded = new Map(rows.map((row) => [row.render, row.recorded]));
  return [...Map.groupBy(bill, ({ key }) => key)]
    .filter(([render, calls]) => calls.length > (recorded.get(render) ?? 0))
    .map(([render, calls]) => `unrecorded calls: ${calls.length} of ${render}`);
}
