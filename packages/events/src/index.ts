export {
  ensureTestSecret,
  makeAccountSecret,
  readTestSecret,
  type AccountSecret,
} from "./account-secret.ts";
export { adoptRestoredEvents } from "./adopt-restored-events.ts";
export {
  claimWebhook,
  deleteExpiredDeliveries,
  failPendingDeliveries,
  listDeliveries,
  listJobDeliveries,
  maxTestsPerMinute,
  queueTestDelivery,
  recordDelivery,
  releaseWebhook,
  retryDelivery,
  takeDueDeliveries,
  type ClaimedWebhook,
  type DeliveryInfo,
  type DueDelivery,
} from "./deliveries.ts";
export { dropDeliveries, maxPendingDeliveries } from "./drop-deliveries.ts";
export { startEventFeed, type EventFeed } from "./event-feed.ts";
export {
  accountEvents,
  deleteExpiredEvents,
  deliveryChannel,
  hasDeliveries,
  isReceiving,
  notifyDeliveries,
  recordEvents,
  wakeDeliveries,
} from "./outbox.ts";
export {
  findLastEventId,
  hasEvent,
  readAccountEvents,
  readConcurrentEvents,
  readJobEvents,
  type StoredEvent,
} from "./read-events.ts";
export {
  createReceiver,
  deleteExpiredReceivers,
  findJobWebhooks,
  findReceiver,
  type NewReceiver,
} from "./receivers.ts";
export { resealSecrets } from "./reseal-secrets.ts";
export { rotateSecret } from "./rotate-secret.ts";
export { openSecret, signDelivery } from "./webhook-secret.ts";
export {
  assertFewWebhooks,
  createWebhook,
  deleteWebhook,
  findWebhook,
  findWebhookOfDelivery,
  listReceivers,
  listWebhooks,
  updateWebhook,
  type WebhookInfo,
} from "./webhooks.ts";
