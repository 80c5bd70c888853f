-- Lists of jobs of one mode.
CREATE INDEX CONCURRENTLY "generation_account_id_mode_kind_status_id_idx" ON "generation"("account_id", "mode", "kind", "status", "id" DESC);
