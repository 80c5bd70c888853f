-- For claims and rounds: which webhooks have a due delivery, and which deliveries are due. In a file of its
-- own, since an index is created concurrently outside of a transaction.
CREATE INDEX CONCURRENTLY "webhook_delivery_due_idx" ON "webhook_delivery" ("webhook_id", "next_attempt_at", "event_id")
 WHERE "status" = 'pending';
