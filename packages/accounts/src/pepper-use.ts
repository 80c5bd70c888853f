import type { Sql } from "@atelier/database";
import { pepperId, type Peppers } from "@atelier/kit";
import { isValidKey } from "./key-conditions.ts";

/** Rows that need a pepper, by whether it is configured. */
export interface PepperUse {
  /** With KEY_PEPPER. */
  readonly current: number;
  /** With one of OLD_KEY_PEPPERS. */
  readonly old: number;
  /** With a pepper that is not configured: these keys are refused, and these webhooks not delivered. */
  readonly missing: number;
  /** Not used since the pepper is recorded, or with a secret in its grace period. */
  readonly unknown: number;
}

/**
 * Counts the valid keys, and the webhooks and secrets of accounts, that need each pepper. The key of a member is
 * looked up by its session; only the links to it need the pepper, for a day.
 */
export async function countPepperUse(
  sql: Sql,
  peppers: Peppers,
): Promise<{ readonly keys: PepperUse; readonly webhooks: PepperUse }> {
  const [current, ...old] = peppers.map(pepperId);
  const count = async (rows: string): Promise<PepperUse> => {
    const [use] = await sql.query<PepperUse>(
      `SELECT count(*) FILTER (WHERE pepper_id = $1)::int AS current,
              count(*) FILTER (WHERE pepper_id = ANY ($2))::int AS old,
              count(*) FILTER (WHERE pepper_id <> ALL ($2 || $1::text))::int AS missing,
              count(*) FILTER (WHERE pepper_id IS NULL)::int AS unknown
         FROM ${rows}`,
      [current, old],
    );
    if (use === undefined) throw new Error("a count is one row");
    return use;
  };
  const [keys, webhooks] = await Promise.all([
    count(`api_key WHERE ${isValidKey("api_key")} AND id NOT IN (SELECT key_id FROM member)`),
    count(`(
      SELECT pepper_id FROM webhook WHERE requested_at IS NULL
      UNION ALL SELECT pepper_id FROM webhook_secret
      UNION ALL SELECT pepper_id FROM test_webhook_secret) AS sealed`),
  ]);
  return { keys, webhooks };
}
