-- The totals of the metrics read the movements of credit since those that they have summed.
CREATE INDEX CONCURRENTLY "ledger_transfer_movements_idx" ON "ledger_transfer" ("created_at") WHERE "kind" IN ('top_up', 'withdrawal', 'refund');
