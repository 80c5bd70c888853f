/** Something that is true of the database at any time, whatever happened before. */
export interface Invariant {
  readonly name: string;
  /** How many things there are that could break it. */
  readonly checked: string;
  /** Finds those that do. One statement, and so one snapshot: traffic meanwhile is no violation. */
  readonly violations: string;
}

/**
 * What must hold after anything at all. Each query reads its tables once and joins them as wholes,
 * so that a million generations take seconds.
 */
export const invariants: readonly Invariant[] = [
  {
    name: "The entries of every transfer sum to zero, and so do all entries.",
    checked: "SELECT count(*) FROM ledger_transfer",
    violations: `
      SELECT transfer_id AS transfer, sum(amount_micro_eur) AS sum
        FROM ledger_entry GROUP BY GROUPING SETS ((transfer_id), ())
      HAVING sum(amount_micro_eur) <> 0`,
  },
  {
    name: "An account's balances equal the sums of its entries, and are never negative.",
    checked: "SELECT count(*) FROM account",
    violations: `
      SELECT account.id AS account, balance_micro_eur AS balance, held_micro_eur AS held,
             coalesce(available_entries, 0) AS available_entries,
             coalesce(held_entries, 0) AS held_entries
        FROM account LEFT JOIN (
          SELECT account_id,
                 sum(amount_micro_eur) FILTER (WHERE book = 'available') AS available_entries,
                 sum(amount_micro_eur) FILTER (WHERE book = 'held') AS held_entries
            FROM ledger_entry GROUP BY account_id) AS entries ON account_id = account.id
       WHERE balance_micro_eur <> coalesce(available_entries, 0)
          OR held_micro_eur <> coalesce(held_entries, 0)
          OR balance_micro_eur < 0 OR held_micro_eur < 0`,
  },
  {
    name: "A hold is resolved exactly when its generation is final, and charges no more than was held.",
    checked: "SELECT count(*) FROM hold",
    violations: `
      SELECT hold.id AS hold, status, hold.amount_micro_eur AS held, transfer.id AS resolution,
             entry.amount_micro_eur AS charged
        FROM hold JOIN generation ON generation.id = hold.generation_id
        LEFT JOIN ledger_transfer AS transfer ON resolves_hold_id = hold.id
        LEFT JOIN ledger_entry AS entry ON entry.transfer_id = transfer.id AND book = 'revenue'
       WHERE (transfer.id IS NULL) <> (status IN ('pending', 'processing'))
          OR entry.amount_micro_eur > hold.amount_micro_eur`,
  },
  {
    name: "Completed means one settle and no release; failed or cancelled, one release and no settle.",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, status, charged_micro_eur AS charged, transfers.*
        FROM generation LEFT JOIN (
          SELECT generation_id,
                 count(*) FILTER (WHERE kind = 'hold') AS holds,
                 count(*) FILTER (WHERE kind = 'settle') AS settles,
                 count(*) FILTER (WHERE kind = 'release') AS releases,
                 coalesce(sum(amount_micro_eur), 0) AS revenue
            FROM ledger_transfer LEFT JOIN ledger_entry ON transfer_id = id AND book = 'revenue'
           WHERE generation_id IS NOT NULL GROUP BY generation_id) AS transfers
          ON generation_id = generation.id
       WHERE holds IS DISTINCT FROM 1
          OR settles <> CASE WHEN status = 'completed' THEN 1 ELSE 0 END
          OR releases <> CASE WHEN status IN ('failed', 'cancelled') THEN 1 ELSE 0 END
          OR revenue <> coalesce(charged_micro_eur, 0)`,
  },
  {
    name: "There is one generation, of the same account, for each idempotency key.",
    checked: "SELECT count(*) FROM idempotency_key",
    violations: `
      SELECT key.account_id AS account, min(key.key) AS key, generation_id AS generation, count(*) AS keys
        FROM idempotency_key AS key LEFT JOIN generation ON generation.id = generation_id
       GROUP BY key.account_id, generation_id, generation.account_id
      HAVING count(*) > 1 OR generation.account_id IS DISTINCT FROM key.account_id`,
  },
  {
    name: "No generation is past its deadline without being final (recovery has five seconds).",
    checked: "SELECT count(*) FROM generation WHERE completed_at IS NULL",
    violations: `
      SELECT id AS generation, status, deadline_at FROM generation
       WHERE completed_at IS NULL AND deadline_at < now() - interval '5 seconds'`,
  },
  {
    name: "A render has one image of each format exactly when it is done.",
    checked: "SELECT count(*) FROM render",
    violations: `
      SELECT render.id AS render, status, formats
        FROM render LEFT JOIN (
          SELECT render_id, array_agg(format ORDER BY format) AS formats
            FROM image GROUP BY render_id) AS stored ON render_id = render.id
       WHERE coalesce(formats, '{}')
          <> CASE WHEN status = 'done' THEN '{png,jpeg,webp}' ELSE '{}' END::image_format[]`,
  },
  {
    name: "Ledger entries never change: the triggers that refuse it are there and enabled.",
    checked: "SELECT 3",
    violations: `
      SELECT name AS missing_trigger
        FROM unnest(ARRAY['ledger_entry', 'ledger_transfer', 'hold']) AS guarded,
             LATERAL (SELECT guarded || '_unchangeable' AS name) AS named
       WHERE NOT EXISTS (SELECT 1 FROM pg_trigger
                          WHERE tgrelid = guarded::regclass AND tgname = name AND tgenabled = 'O')`,
  },
  {
    name: "A provider is asked for an image again only after a call that is recorded as ended without one.",
    checked: "SELECT count(*) FROM provider_call",
    violations: `
      SELECT render_id AS render, array_agg(outcome ORDER BY attempt) AS outcomes
        FROM provider_call GROUP BY render_id
      HAVING count(*) FILTER (WHERE outcome IS NULL OR outcome = 'image') > 1`,
  },
  {
    name: "A generation is as far as its renders: completed when all are done, final when none is open.",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, generation.status, statuses
        FROM generation LEFT JOIN (
          SELECT generation_id, array_agg(DISTINCT status) AS statuses
            FROM render GROUP BY generation_id) AS renders ON generation_id = generation.id
       WHERE CASE
         WHEN generation.status = 'completed' THEN statuses IS DISTINCT FROM '{done}'
         WHEN generation.status IN ('failed', 'cancelled') THEN statuses && '{waiting,ready,running}'
         ELSE NOT statuses && '{waiting,ready,running}' END`,
  },
  {
    name: "What came of a call is recorded once its render has ended.",
    checked: "SELECT count(*) FROM render WHERE status IN ('done', 'failed', 'cancelled')",
    violations: `
      SELECT render.id AS render, status FROM render JOIN provider_call ON render_id = render.id
       WHERE status IN ('done', 'failed', 'cancelled') AND outcome IS NULL`,
  },
  {
    name: "An account's counters equal its unfinished generations and their renders.",
    checked: "SELECT count(*) FROM account",
    violations: `
      SELECT account.id AS account, unfinished_jobs, unfinished_renders, jobs, renders
        FROM account LEFT JOIN (
          SELECT account_id, count(*) AS jobs, sum(renders_total) AS renders FROM generation
           WHERE completed_at IS NULL GROUP BY account_id) AS counted
          ON account_id = account.id
       WHERE unfinished_jobs <> coalesce(jobs, 0) OR unfinished_renders <> coalesce(renders, 0)`,
  },
];
