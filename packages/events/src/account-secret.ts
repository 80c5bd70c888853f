import { statement, type Sql } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import { makeSecret, sealSecret } from "./webhook-secret.ts";

/**
 * Makes the secret of an account, which signs deliveries to the `webhook_url` of requests, or replaces it. The
 * old one signs as well for the grace period, in milliseconds. One statement, so that of two calls at once the
 * later one replaces the secret of the earlier one.
 *
 * @returns the new secret, which is not shown again, and the end of the grace period; null without an old one.
 */
export async function makeAccountSecret(
  sql: Sql,
  target: { readonly accountId: string; readonly pepper: string; readonly graceMs: number },
): Promise<{ readonly secret: string; readonly previousUntil: Date | null }> {
  const { accountId, pepper, graceMs } = target;
  const secret = makeSecret();
  const sealed = sealSecret(secret, pepper, accountId);
  const [stored] = await sql.query<{ previousUntil: Date | null }>(
    ...store.bind({ accountId, sealed, pepperId: pepperId(pepper), graceMs }),
  );
  return { secret, previousUntil: stored?.previousUntil ?? null };
}

const store = statement(
  ["accountId", "sealed", "pepperId", "graceMs"],
  `INSERT INTO webhook_secret AS stored (account_id, secret, pepper_id)
   VALUES (:accountId, :sealed, :pepperId)
   ON CONFLICT (account_id) DO UPDATE
     SET secret = excluded.secret, previous_secret = stored.secret,
         previous_secret_until = now() + :graceMs * interval '1 ms',
         pepper_id = CASE WHEN stored.pepper_id = excluded.pepper_id THEN excluded.pepper_id END
   RETURNING previous_secret_until AS "previousUntil"`,
);
