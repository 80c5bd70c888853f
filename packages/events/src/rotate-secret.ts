import { statement, type Sql } from "@atelier/database";
import { makeSecret, sealSecret } from "./webhook-secret.ts";

/**
 * Replaces the secret of a webhook. The old one signs as well for the grace period, in milliseconds. One
 * statement, so that of two rotations at once the later one replaces the secret of the earlier one.
 *
 * @returns the new secret, which is not shown again.
 */
export async function rotateSecret(
  sql: Sql,
  target: { readonly webhookId: string; readonly pepper: string; readonly graceMs: number },
): Promise<string> {
  const { webhookId, pepper, graceMs } = target;
  const secret = makeSecret();
  const sealed = sealSecret(secret, pepper, webhookId);
  await sql.query(...replaceSecret.bind({ webhookId, sealed, graceMs }));
  return secret;
}

const replaceSecret = statement(
  ["webhookId", "sealed", "graceMs"],
  `UPDATE webhook
      SET secret = :sealed, previous_secret = secret,
          previous_secret_until = now() + :graceMs * interval '1 ms'
    WHERE id = :webhookId`,
);
