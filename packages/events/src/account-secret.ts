import { statement, type Sql } from "@atelier/database";
import { pepperId, type Peppers } from "@atelier/kit";
import type { KeyMode } from "@atelier/schemas";
import { secretMissing } from "./secret-missing.ts";
import { makeSecret, openSecret, sealSecret } from "./webhook-secret.ts";

/** A secret of an account, which signs deliveries to the `webhook_url` of requests of keys of its mode. */
export interface AccountSecret {
  readonly secret: string;
  /** Until then the one before signs as well; null without one. */
  readonly previousUntil: Date | null;
}

/**
 * Makes the secret of an account for a mode, or replaces it. The old one signs as well for the grace period, in
 * milliseconds. One statement, so that of two calls at once the later one replaces the secret of the earlier one.
 *
 * @returns the new secret. That of live keys is not shown again.
 */
export async function makeAccountSecret(
  sql: Sql,
  target: {
    readonly accountId: string;
    readonly mode: KeyMode;
    readonly pepper: string;
    readonly graceMs: number;
  },
): Promise<AccountSecret> {
  const { accountId, mode, pepper, graceMs } = target;
  const secret = makeSecret(mode);
  const sealed = sealSecret(secret, pepper, accountId);
  const store = mode === "test" ? storeForTests : storeForLive;
  const [stored] = await sql.query<{ previousUntil: Date | null }>(
    ...store.bind({ accountId, sealed, pepperId: pepperId(pepper), graceMs }),
  );
  return { secret, previousUntil: stored?.previousUntil ?? null };
}

const storeIn = (table: "test_webhook_secret" | "webhook_secret") =>
  statement(
    ["accountId", "sealed", "pepperId", "graceMs"],
    `INSERT INTO ${table} AS stored (account_id, secret, pepper_id)
     VALUES (:accountId, :sealed, :pepperId)
     ON CONFLICT (account_id) DO UPDATE
       SET secret = excluded.secret, previous_secret = stored.secret,
           previous_secret_until = now() + :graceMs * interval '1 ms',
           pepper_id = CASE WHEN stored.pepper_id = excluded.pepper_id THEN excluded.pepper_id END
     RETURNING previous_secret_until AS "previousUntil"`,
  );

const storeForLive = storeIn("webhook_secret");
const storeForTests = storeIn("test_webhook_secret");

/**
 * Makes the secret of test keys of an account that has one of live keys only: every account from before modes had
 * secrets of their own. Can be repeated.
 */
export async function ensureTestSecret(
  sql: Sql,
  { accountId, pepper }: { readonly accountId: string; readonly pepper: string },
): Promise<void> {
  const sealed = sealSecret(makeSecret("test"), pepper, accountId);
  await sql.query(...ensure.bind({ accountId, sealed, pepperId: pepperId(pepper) }));
}

const ensure = statement(
  ["accountId", "sealed", "pepperId"],
  `INSERT INTO test_webhook_secret (account_id, secret, pepper_id)
   SELECT account_id, :sealed, :pepperId FROM webhook_secret
    WHERE account_id = :accountId
      AND NOT EXISTS (SELECT FROM test_webhook_secret WHERE account_id = :accountId)
   ON CONFLICT DO NOTHING`,
);

/**
 * Reads the secret of test keys of an account. It protects no live job, so that it can be read at any time.
 *
 * @throws AppError `webhook_secret_missing`.
 */
export async function readTestSecret(
  sql: Sql,
  { accountId, peppers }: { readonly accountId: string; readonly peppers: Peppers },
): Promise<AccountSecret> {
  await ensureTestSecret(sql, { accountId, pepper: peppers[0] });
  const [stored] = await sql.query<{ sealed: Uint8Array; previousUntil: Date | null }>(
    `SELECT secret AS sealed,
            CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousUntil"
       FROM test_webhook_secret WHERE account_id = $1`,
    [accountId],
  );
  if (stored === undefined) throw secretMissing();
  const { sealed, previousUntil } = stored;
  return { secret: openSecret(sealed, peppers, accountId), previousUntil };
}
