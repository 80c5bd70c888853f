-- Scopes, models, a budget, expiry and rotation of keys. Existing keys keep all scopes.
CREATE TYPE "budget_period" AS ENUM ('total', 'day', 'month');

ALTER TABLE "api_key"
  ADD COLUMN "previous_hash" BYTEA,
  ADD COLUMN "previous_expires_at" TIMESTAMPTZ(6),
  ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY['generate', 'read', 'manage']::TEXT[],
  ADD COLUMN "models" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "budget_micro_eur" BIGINT,
  ADD COLUMN "budget_period" "budget_period" NOT NULL DEFAULT 'total',
  ADD COLUMN "spent_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "spent_micro_eur" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "expires_at" TIMESTAMPTZ(6),
  ADD COLUMN "last_used_at" TIMESTAMPTZ(6);

CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_spent_not_negative" CHECK ("spent_micro_eur" >= 0),
  ADD CONSTRAINT "api_key_budget_not_negative" CHECK ("budget_micro_eur" >= 0);
