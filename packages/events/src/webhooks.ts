import { newId, type Database, type Webhook } from "@atelier/database";
import type { EventType } from "@atelier/schemas";
import { makeSecret, sealSecret } from "./webhook-secret.ts";

/** A webhook as its owner sees it. */
export type WebhookInfo = Pick<
  Webhook,
  "id" | "url" | "description" | "failingSince" | "droppedDeliveries" | "disabledAt" | "createdAt"
> & { readonly events: readonly EventType[] };

/** Webhooks that an account may have. */
export const maxWebhooks = 20;

const shown = {
  id: true,
  url: true,
  events: true,
  description: true,
  failingSince: true,
  droppedDeliveries: true,
  disabledAt: true,
  createdAt: true,
} as const;

/** Creates a webhook. The secret is returned here once. */
export async function createWebhook(
  database: Database,
  {
    pepper,
    ...settings
  }: {
    readonly accountId: string;
    readonly url: string;
    readonly events: readonly EventType[];
    readonly description: string | null;
    readonly pepper: string;
  },
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = newId();
  const secret = makeSecret();
  const sealed = new Uint8Array(sealSecret(secret, pepper, id));
  const prisma = await database.prisma();
  await prisma.webhook.create({
    data: { ...settings, id, events: [...settings.events], secret: sealed },
  });
  return { id, secret };
}

/** The webhooks of an account, newest first. */
export async function listWebhooks(database: Database, accountId: string): Promise<WebhookInfo[]> {
  const prisma = await database.prisma();
  const webhooks = await prisma.webhook.findMany({
    where: { accountId },
    orderBy: { id: "desc" },
    select: shown,
  });
  return webhooks as ((typeof webhooks)[number] & WebhookInfo)[];
}

/** A webhook of an account, or null. */
export async function findWebhook(
  database: Database,
  target: { readonly accountId: string; readonly webhookId: string },
): Promise<WebhookInfo | null> {
  const prisma = await database.prisma();
  const webhook = await prisma.webhook.findFirst({
    where: { id: target.webhookId, accountId: target.accountId },
    select: shown,
  });
  return webhook as WebhookInfo | null;
}

/** Changes a webhook. Enabling it forgets its earlier failures. */
export async function updateWebhook(
  database: Database,
  webhookId: string,
  {
    events,
    isEnabled,
    ...settings
  }: {
    readonly url?: string;
    readonly events?: readonly EventType[];
    readonly description?: string | null;
    readonly isEnabled?: boolean;
  },
): Promise<void> {
  const prisma = await database.prisma();
  await prisma.webhook.update({
    where: { id: webhookId },
    data: {
      ...settings,
      ...(events && { events: [...events] }),
      ...(isEnabled === true && {
        disabledAt: null,
        failingSince: null,
        failures: 0,
        pausedUntil: null,
      }),
      ...(isEnabled === false && { disabledAt: new Date() }),
    },
  });
}

/** Deletes a webhook. Its pending deliveries are never sent, and expire with the others. */
export async function deleteWebhook(database: Database, webhookId: string): Promise<void> {
  const prisma = await database.prisma();
  await prisma.webhook.deleteMany({ where: { id: webhookId } });
}
