-- Characters and locations that an account keeps until it deletes them.
-- AlterEnum
ALTER TYPE "kept_kind" ADD VALUE 'character';
ALTER TYPE "kept_kind" ADD VALUE 'location';

-- CreateTable
CREATE TABLE "cast_member" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "mode" "key_mode" NOT NULL,
    "kind" "kept_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "looks" JSONB NOT NULL,
    "story_job_id" UUID,
    "idempotency_key" TEXT,
    "request_hash" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cast_member_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "cast_member_account_id_kind_id_idx" ON "cast_member"("account_id", "kind", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "cast_member_account_id_idempotency_key_key" ON "cast_member"("account_id", "idempotency_key");
