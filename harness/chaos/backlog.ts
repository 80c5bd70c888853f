import { setTimeout as delay } from "node:timers/promises";
import { maxPendingDeliveries } from "@atelier/events";
import type { Sql } from "@atelier/database";
import type { Stack } from "@atelier/testing";

/** Path of the receiver that refuses every request. */
export const deadPath = "/dead";

const backlogSize = 200_000;
const pollMs = 1_000;

/** A webhook whose receiver is dead, with many pending deliveries. */
export interface Backlog {
  readonly webhookId: string;
}

/** Creates a webhook of an own account with a dead receiver and 200,000 pending deliveries. */
export async function addBacklog(stack: Stack, receiverHost: string): Promise<Backlog> {
  const account = await stack.createAccount();
  const url = `http://${receiverHost}${deadPath}`;
  const events = ["account.balance_low"];
  const response = await stack.request(account, "POST", "/v1/webhooks", { url, events });
  if (response.status !== 201) throw new Error(`the webhook was refused: ${response.status}`);
  const { id: webhookId } = (await response.json()) as { id: string };
  await stack.database.query(
    `INSERT INTO webhook_delivery (webhook_id, event_id, type, data)
     SELECT $1, number, 'webhook.test', '{}' FROM generate_series(1, $2::int) AS number`,
    [webhookId, backlogSize],
  );
  return { webhookId };
}

interface BacklogCounts {
  readonly pending: number;
  readonly delivered: number;
  readonly ended: number;
  readonly dropped: number;
}

async function countBacklog(sql: Sql, { webhookId }: Backlog): Promise<BacklogCounts> {
  const [counts] = await sql.query<BacklogCounts>(
    `SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
            count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
            count(*) FILTER (WHERE error LIKE 'dropped: %')::int AS ended,
            (SELECT dropped_deliveries FROM webhook WHERE id = $1)::int AS dropped
       FROM webhook_delivery WHERE webhook_id = $1`,
    [webhookId],
  );
  if (counts === undefined) throw new Error("there is no backlog");
  return counts;
}

/** Waits until the oldest deliveries were dropped, or the time is over. */
export async function untilDropped(sql: Sql, backlog: Backlog, forAtMostMs: number): Promise<void> {
  const endsAt = performance.now() + forAtMostMs;
  while (performance.now() < endsAt) {
    if ((await countBacklog(sql, backlog)).pending <= maxPendingDeliveries) return;
    await delay(pollMs);
  }
}

/**
 * Checks that the deliveries beyond the limit were dropped, that each was counted once, and that none was
 * delivered.
 *
 * @returns one line for each violation.
 */
export async function judgeBacklog(sql: Sql, backlog: Backlog): Promise<readonly string[]> {
  const { pending, delivered, ended, dropped } = await countBacklog(sql, backlog);
  const wrong: string[] = [];
  if (pending > maxPendingDeliveries) wrong.push(`The dead webhook has ${pending} deliveries.`);
  if (delivered > 0) wrong.push(`${delivered} deliveries reached a dead receiver.`);
  if (pending + ended !== backlogSize || ended !== dropped) {
    wrong.push(`Of ${backlogSize} deliveries ${ended} were dropped, ${dropped} counted.`);
  }
  return wrong;
}
