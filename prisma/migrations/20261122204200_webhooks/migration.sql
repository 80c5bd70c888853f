-- Webhooks and their deliveries. No foreign keys: the job flow writes deliveries, and would look them up.
-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(6),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "claimed_until" TIMESTAMPTZ(6),
    "paused_until" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(6),
    "disabled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "webhook_id" UUID NOT NULL,
    "event_id" BIGINT NOT NULL,
    "generation_id" UUID,
    "type" TEXT NOT NULL,
    "data" JSONB,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "give_up_at" TIMESTAMPTZ(6) NOT NULL DEFAULT (now() + '24:00:00'::interval),
    "last_attempt_at" TIMESTAMPTZ(6),
    "response_status" INTEGER,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_account_id_idx" ON "webhook"("account_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_webhook_id_id_idx" ON "webhook_delivery"("webhook_id", "id" DESC);

-- The first pending delivery of each job, in the order of the events.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"("webhook_id", "generation_id", "event_id")
 WHERE "status" = 'pending';
