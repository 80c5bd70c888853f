import { statement, type Sql } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import type { KeyMode } from "@atelier/schemas";
import { makeSecret, sealSecret } from "./webhook-secret.ts";

/**
 * Replaces the secret of a webhook. The old one signs as well for the grace period, in milliseconds. One
 * statement, so that of two rotations at once the later one replaces the secret of the earlier one.
 *
 * @returns the new secret, which is not shown again.
 */
export async function rotateSecret(
  sql: Sql,
  target: {
    readonly webhookId: string;
    /** That of its key. */
    readonly mode: KeyMode;
    readonly pepper: string;
    readonly graceMs: number;
  },
): Promise<string> {
  const { webhookId, mode, pepper, graceMs } = target;
  const secret = makeSecret(mode);
  const sealed = sealSecret(secret, pepper, webhookId);
  await sql.query(
    ...replaceSecret.bind({ webhookId, sealed, pepperId: pepperId(pepper), graceMs }),
  );
  return secret;
}

const replaceSecret = statement(
  ["webhookId", "sealed", "pepperId", "graceMs"],
  `UPDATE webhook
      SET secret = :sealed, previous_secret = secret,
          previous_secret_until = now() + :graceMs * interval '1 ms',
          pepper_id = CASE WHEN pepper_id = :pepperId THEN pepper_id END
    WHERE id = :webhookId`,
);
