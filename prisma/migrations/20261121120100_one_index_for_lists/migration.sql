-- DropIndex
DROP INDEX "generation_account_id_id_idx";

-- DropIndex
DROP INDEX "generation_account_id_kind_id_idx";

-- DropIndex
DROP INDEX "generation_account_id_status_id_idx";

-- CreateIndex
CREATE INDEX "generation_account_id_kind_status_id_idx" ON "generation"("account_id", "kind", "status", "id" DESC);
