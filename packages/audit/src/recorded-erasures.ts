import type { Sql } from "@atelier/database";

/** An account whose record in the storage differs from its row. */
interface UnlikeErasure {
  readonly account: string;
  readonly problem: "recorded, and not erased" | "erased, and not recorded";
}

/**
 * Compares the accounts that the storage records as erased with those that the database has as erased. A record of an
 * account that the database does not know is left out: several databases may share a storage. A record has an hour
 * to be written: an erasure does it before it removes files, however many there are.
 */
export function findUnlikeErasures(
  sql: Sql,
  recorded: readonly string[],
): Promise<UnlikeErasure[]> {
  return sql.query<UnlikeErasure>(
    `SELECT id AS account, 'recorded, and not erased' AS problem FROM account
      WHERE erased_at IS NULL AND id = ANY ($1)
     UNION ALL
     SELECT id, 'erased, and not recorded' FROM account
      WHERE erased_at < now() - interval '1 hour' AND id <> ALL ($1)
      ORDER BY account`,
    [recorded],
  );
}
