-- Lists of batches of one mode.
CREATE INDEX CONCURRENTLY "batch_account_id_mode_id_idx" ON "batch"("account_id", "mode", "id" DESC);
