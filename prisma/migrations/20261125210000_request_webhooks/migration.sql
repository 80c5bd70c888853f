-- Webhooks of single requests: the secret of an account, the receivers of `webhook_url`s, and which job sends
-- its events to which of them.
-- AlterTable
ALTER TABLE "webhook" ADD COLUMN "requested_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "account_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(6),
    "pepper_id" TEXT,

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "generation_webhook" (
    "generation_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],

    CONSTRAINT "generation_webhook_pkey" PRIMARY KEY ("generation_id")
);

-- CreateIndex
CREATE INDEX "generation_webhook_webhook_id_idx" ON "generation_webhook"("webhook_id");
