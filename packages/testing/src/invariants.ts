import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Sql } from "@atelier/database";
import type { BilledCall } from "./fake-provider/server.ts";

/** What must hold after anything at all. Each query finds what breaks it. */
const invariants: Readonly<Record<string, string>> = {
  "the entries of every transfer sum to zero, and so do all entries": `
    SELECT transfer_id::text AS transfer, sum(amount_micro_eur) AS sum
      FROM ledger_entry GROUP BY GROUPING SETS ((transfer_id), ())
    HAVING sum(amount_micro_eur) <> 0`,

  "an account's balances equal the sums of its entries, and are never negative": `
    SELECT account.id AS account, balance_micro_eur AS balance, held_micro_eur AS held, entries.*
      FROM account, LATERAL (
        SELECT coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'available'), 0) AS available_entries,
               coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'held'), 0) AS held_entries
          FROM ledger_entry WHERE account_id = account.id) AS entries
     WHERE balance_micro_eur <> available_entries OR held_micro_eur <> held_entries
        OR balance_micro_eur < 0 OR held_micro_eur < 0`,

  "every hold has at most one resolution, one exactly when its generation is final, and settles no more than was held": `
    SELECT hold.id AS hold, status, amount_micro_eur AS held, resolutions, charged
      FROM hold JOIN generation ON generation.id = generation_id, LATERAL (
        SELECT count(DISTINCT transfer.id) AS resolutions,
               coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'revenue'), 0) AS charged
          FROM ledger_transfer AS transfer LEFT JOIN ledger_entry ON transfer_id = transfer.id
         WHERE resolves_hold_id = hold.id) AS resolved
     WHERE resolutions <> CASE WHEN status IN ('pending', 'processing') THEN 0 ELSE 1 END
        OR charged > hold.amount_micro_eur`,

  "completed means one settle and no release; failed or cancelled, one release and no settle": `
    SELECT generation.id AS generation, status, charged_micro_eur AS charged, transfers.*
      FROM generation, LATERAL (
        SELECT count(DISTINCT id) FILTER (WHERE kind = 'hold') AS holds,
               count(DISTINCT id) FILTER (WHERE kind = 'settle') AS settles,
               count(DISTINCT id) FILTER (WHERE kind = 'release') AS releases,
               coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'revenue'), 0) AS revenue
          FROM ledger_transfer LEFT JOIN ledger_entry ON transfer_id = id
         WHERE generation_id = generation.id) AS transfers
     WHERE holds <> 1
        OR settles <> CASE WHEN status = 'completed' THEN 1 ELSE 0 END
        OR releases <> CASE WHEN status IN ('failed', 'cancelled') THEN 1 ELSE 0 END
        OR revenue <> coalesce(charged_micro_eur, 0)`,

  "one generation of the same account for each idempotency key": `
    SELECT key.account_id AS account, key.key
      FROM idempotency_key AS key LEFT JOIN generation ON generation.id = generation_id
     WHERE generation.account_id IS DISTINCT FROM key.account_id
        OR EXISTS (SELECT 1 FROM idempotency_key AS other
                    WHERE other.generation_id = key.generation_id AND other.key <> key.key)`,

  "no generation is past its deadline without being final (recovery has five seconds)": `
    SELECT id AS generation, status, deadline_at FROM generation
     WHERE status IN ('pending', 'processing') AND deadline_at < now() - interval '5 seconds'`,

  "a generation is as far as its renders: completed when all are done, final when none is open": `
    SELECT generation.id AS generation, generation.status, renders.statuses
      FROM generation, LATERAL (
        SELECT array_agg(DISTINCT status) AS statuses FROM render
         WHERE generation_id = generation.id) AS renders
     WHERE CASE
       WHEN generation.status = 'completed' THEN statuses <> '{done}'
       WHEN generation.status IN ('failed', 'cancelled') THEN statuses && '{waiting,ready,running}'
       ELSE NOT statuses && '{waiting,ready,running}' END`,

  "an account's counters equal its unfinished generations and their renders": `
    SELECT account.id AS account, unfinished_jobs, unfinished_renders, counted.*
      FROM account, LATERAL (
        SELECT count(*) AS jobs, coalesce(sum(renders_total), 0) AS renders FROM generation
         WHERE account_id = account.id AND status IN ('pending', 'processing')) AS counted
     WHERE unfinished_jobs <> jobs OR unfinished_renders <> renders`,

  "a render has one image of each format exactly when it is done": `
    SELECT render.id AS render, status, stored.formats
      FROM render, LATERAL (
        SELECT coalesce(array_agg(format ORDER BY format), '{}') AS formats FROM image
         WHERE render_id = render.id) AS stored
     WHERE formats <> CASE WHEN status = 'done' THEN '{png,jpeg,webp}' ELSE '{}' END::image_format[]`,

  "ledger entries never change: the triggers that refuse it are there and enabled": `
    SELECT name AS missing_trigger
      FROM unnest(ARRAY['ledger_entry', 'ledger_transfer', 'hold']) AS guarded,
           LATERAL (SELECT guarded || '_unchangeable' AS name) AS named
     WHERE NOT EXISTS (SELECT 1 FROM pg_trigger
                        WHERE tgrelid = guarded::regclass AND tgname = name AND tgenabled = 'O')`,

  "a provider is asked for an image once more only when an answer was recorded as none or unknown": `
    SELECT render_id AS render, array_agg(outcome ORDER BY attempt) AS outcomes
      FROM provider_call GROUP BY render_id
    HAVING count(*) FILTER (WHERE outcome IS NULL OR outcome = 'image') > 1
        OR count(*) > 1 + count(*) FILTER (WHERE outcome IS NOT NULL AND outcome <> 'image')`,

  "what came of a call is recorded once its render has ended": `
    SELECT render.id AS render, status FROM render JOIN provider_call ON render_id = render.id
     WHERE status IN ('done', 'failed', 'cancelled') AND outcome IS NULL`,
};

/** Reads what is stored under a key; null when there is nothing. */
export interface ReadableStorage {
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
}

/**
 * Holds a database to what must be true of it at any time, whatever happened before.
 *
 * @param storage when given, every image of it is read and compared with its recorded hash.
 * @param bill when given, every call that the provider knows of must have been written down.
 * @throws Error with everything that is wrong.
 */
export async function assertInvariants(
  sql: Sql,
  storage?: ReadableStorage,
  bill?: readonly BilledCall[],
): Promise<void> {
  const broken: string[] = [];
  for (const [invariant, query] of Object.entries(invariants)) {
    const violations = await sql.query(query);
    broken.push(...violations.map((row) => `${invariant}: ${show(row)}`));
  }
  if (storage !== undefined) broken.push(...(await findWrongImages(sql, storage)));
  if (bill !== undefined) broken.push(...(await findUnrecordedCalls(sql, bill)));
  if (broken.length > 0) throw new Error(`broken invariants:\n${broken.join("\n")}`);
}

/** Every image that a row names is stored, and is what the row says. */
async function findWrongImages(sql: Sql, storage: ReadableStorage): Promise<string[]> {
  const images = await sql.query<{ key: string; sha256: string; sizeBytes: number }>(
    `SELECT storage_key AS key, sha256, size_bytes AS "sizeBytes" FROM image
      WHERE deleted_at IS NULL ORDER BY created_at`,
  );
  const wrong: string[] = [];
  for (const { key, ...recorded } of images) {
    const stored = await storage.get(key);
    const found = stored && {
      sha256: createHash("sha256").update(stored.bytes).digest("hex"),
      sizeBytes: stored.bytes.byteLength,
    };
    if (!isDeepStrictEqual(found, recorded)) wrong.push(`image ${key}: ${show(found)}`);
  }
  return wrong;
}

/** The provider's books show no more calls for a render than ours, and none for other renders. */
async function findUnrecordedCalls(sql: Sql, bill: readonly BilledCall[]): Promise<string[]> {
  const rows = await sql.query<{ render: string; recorded: number }>(
    "SELECT render_id AS render, count(*)::int AS recorded FROM provider_call GROUP BY render_id",
  );
  const recorded = new Map(rows.map((row) => [row.render, row.recorded]));
  return [...Map.groupBy(bill, ({ key }) => key)]
    .filter(([render, calls]) => calls.length > (recorded.get(render) ?? 0))
    .map(([render, calls]) => `calls that were not written down: ${calls.length} of ${render}`);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? String(part) : part,
  );
}
