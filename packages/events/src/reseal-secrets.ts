import { statement, type Sql } from "@atelier/database";
import { pepperId, type Peppers } from "@atelier/kit";
import { openSecret, sealSecret } from "./webhook-secret.ts";

const batch = 200;

/** Tables with sealed secrets: the column that a secret is bound to, and the rows that have one. */
const tables = [
  { table: "webhook", id: "id", rows: "requested_at IS NULL" },
  { table: "webhook_secret", id: "account_id", rows: "true" },
  { table: "test_webhook_secret", id: "account_id", rows: "true" },
] as const;

interface SealedSecrets {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
}

/**
 * Encrypts the secrets of webhooks and accounts with the current pepper that were encrypted with an old one.
 * A secret that was replaced meanwhile is left to the next call.
 *
 * @param proceed called after each batch; false ends the work.
 * @returns the number of webhooks and accounts whose pepper is not configured.
 */
export async function resealSecrets(
  sql: Sql,
  peppers: Peppers,
  proceed: () => Promise<boolean>,
): Promise<number> {
  let unreadable = 0;
  for (const table of tables) unreadable += await resealTable(sql, table, peppers, proceed);
  return unreadable;
}

async function resealTable(
  sql: Sql,
  { table, id, rows }: (typeof tables)[number],
  peppers: Peppers,
  proceed: () => Promise<boolean>,
): Promise<number> {
  const update = updateOf(table, id);
  const current = pepperId(peppers[0]);
  let unreadable = 0;
  let after: string | null = null;
  do {
    const found: readonly SealedSecrets[] = await sql.query<SealedSecrets>(
      `SELECT ${id} AS id, secret, previous_secret AS "previousSecret" FROM ${table}
        WHERE ${rows} AND pepper_id IS DISTINCT FROM $1 AND ($2::uuid IS NULL OR ${id} > $2)
        ORDER BY ${id} LIMIT ${batch}`,
      [current, after],
    );
    for (const row of found) {
      const sealed = reseal(row, peppers);
      if (sealed === null) unreadable++;
      else await sql.query(...update.bind({ ...row, ...sealed, pepperId: current }));
    }
    after = found.length < batch ? null : (found.at(-1)?.id ?? null);
  } while (after !== null && (await proceed()));
  return unreadable;
}

/** Null when the secret cannot be opened. A previous one that cannot is dropped: it signs nothing. */
function reseal({ id, secret, previousSecret }: SealedSecrets, peppers: Peppers) {
  function again(sealed: Uint8Array): Uint8Array | null {
    try {
      return sealSecret(openSecret(sealed, peppers, id), peppers[0], id);
    } catch {
      return null;
    }
  }
  const sealed = again(secret);
  return sealed && { sealed, previousSealed: previousSecret && again(previousSecret) };
}

const updateOf = (table: string, id: string) =>
  statement(
    ["id", "secret", "previousSecret", "sealed", "previousSealed", "pepperId"],
    `UPDATE ${table} SET secret = :sealed, previous_secret = :previousSealed, pepper_id = :pepperId
      WHERE ${id} = :id AND secret = :secret
        AND previous_secret IS NOT DISTINCT FROM :previousSecret::bytea`,
  );
