-- The key that asked for a generation; unknown for those from before.
ALTER TABLE "generation" ADD COLUMN "key_id" UUID;

CREATE INDEX "generation_key_id_kind_status_id_idx" ON "generation"("key_id", "kind", "status", "id" DESC);
