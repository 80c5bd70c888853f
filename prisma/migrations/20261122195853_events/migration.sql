-- The outbox. No foreign keys: they would be looked up for each event.
-- CreateEnum
CREATE TYPE "event_type" AS ENUM ('job.updated', 'job.image_completed', 'job.completed', 'job.failed', 'job.cancelled', 'account.balance_low');

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID,
    "type" "event_type" NOT NULL,
    "data" JSONB,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "horizon" BIGINT NOT NULL DEFAULT ((pg_snapshot_xmin(pg_current_snapshot()))::text)::bigint,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("account_id","xid","id")
);

-- CreateIndex
CREATE INDEX "event_xid_idx" ON "event"("xid");

-- For the replay of a job's events.
CREATE INDEX "event_generation_id_id_idx" ON "event"("generation_id", "id")
 WHERE "generation_id" IS NOT NULL;
