-- The secret that signs deliveries to the webhook_url of requests of test keys.
-- CreateTable
CREATE TABLE "test_webhook_secret" (
    "account_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(6),
    "pepper_id" TEXT,

    CONSTRAINT "test_webhook_secret_pkey" PRIMARY KEY ("account_id")
);
