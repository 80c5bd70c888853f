-- CreateEnum
CREATE TYPE "strictness" AS ENUM ('normal', 'liberal');

-- CreateEnum
CREATE TYPE "generation_kind" AS ENUM ('image', 'story');

-- CreateEnum
CREATE TYPE "generation_status" AS ENUM ('pending', 'processing', 'completed', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "render_role" AS ENUM ('image', 'portrait', 'state', 'location', 'scene');

-- CreateEnum
CREATE TYPE "render_status" AS ENUM ('waiting', 'ready', 'running', 'done', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "image_format" AS ENUM ('png', 'jpeg', 'webp');

-- CreateEnum
CREATE TYPE "provider_outcome" AS ENUM ('image', 'refused', 'rate_limited', 'out_of_quota', 'invalid_request', 'unavailable', 'unknown');

-- CreateEnum
CREATE TYPE "transfer_kind" AS ENUM ('top_up', 'hold', 'settle', 'release');

-- CreateEnum
CREATE TYPE "ledger_book" AS ENUM ('deposits', 'available', 'held', 'revenue');

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "strictness" "strictness" NOT NULL DEFAULT 'normal',
    "balance_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "held_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "unfinished_jobs" INTEGER NOT NULL DEFAULT 0,
    "unfinished_renders" INTEGER NOT NULL DEFAULT 0,
    "suspended_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generation" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "status" "generation_status" NOT NULL DEFAULT 'pending',
    "model" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "strictness" "strictness" NOT NULL,
    "title" TEXT,
    "price_micro_eur" BIGINT NOT NULL,
    "charged_micro_eur" BIGINT,
    "balance_after_micro_eur" BIGINT,
    "error" JSONB,
    "renders_total" INTEGER NOT NULL,
    "scenes_total" INTEGER,
    "scenes_completed" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "deadline_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "generation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "generation_id" UUID NOT NULL,
    "answer_due_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "render" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "render_role" NOT NULL,
    "status" "render_status" NOT NULL,
    "lane" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "waits_for" UUID[],
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "turn" JSONB,
    "last_error" JSONB,
    "dispatched_at" TIMESTAMPTZ(6),
    "claimed_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "render_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "image" (
    "render_id" UUID NOT NULL,
    "format" "image_format" NOT NULL,
    "storage_key" TEXT NOT NULL,
    "sha256" CHAR(64) NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "image_pkey" PRIMARY KEY ("render_id","format")
);

-- CreateTable
CREATE TABLE "provider_call" (
    "id" UUID NOT NULL,
    "render_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "request_id" TEXT,
    "outcome" "provider_outcome",
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "provider_call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "moderation_decision" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "render_id" UUID NOT NULL,
    "moderator" TEXT NOT NULL,
    "strictness" "strictness" NOT NULL,
    "allowed" BOOLEAN NOT NULL,
    "category" TEXT,
    "path" TEXT,
    "prompt_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "moderation_decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_transfer" (
    "id" UUID NOT NULL,
    "kind" "transfer_kind" NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID,
    "resolves_hold_id" UUID,
    "reference" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "transfer_id" UUID NOT NULL,
    "book" "ledger_book" NOT NULL,
    "account_id" UUID NOT NULL,
    "amount_micro_eur" BIGINT NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transfer_id","book")
);

-- CreateTable
CREATE TABLE "hold" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "transfer_id" UUID NOT NULL,
    "amount_micro_eur" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "theoretical_arrival_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_account_id_idx" ON "api_key"("account_id");

-- CreateIndex
CREATE INDEX "generation_account_id_id_idx" ON "generation"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "generation_account_id_status_id_idx" ON "generation"("account_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "generation_account_id_kind_id_idx" ON "generation"("account_id", "kind", "id" DESC);

-- CreateIndex
CREATE INDEX "generation_status_deadline_at_idx" ON "generation"("status", "deadline_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "render_status_dispatched_at_idx" ON "render"("status", "dispatched_at");

-- CreateIndex
CREATE UNIQUE INDEX "render_generation_id_position_key" ON "render"("generation_id", "position");

-- CreateIndex
CREATE INDEX "image_deleted_at_created_at_idx" ON "image"("deleted_at", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "provider_call_render_id_attempt_key" ON "provider_call"("render_id", "attempt");

-- CreateIndex
CREATE INDEX "moderation_decision_generation_id_idx" ON "moderation_decision"("generation_id");

-- CreateIndex
CREATE UNIQUE INDEX "moderation_decision_render_id_key" ON "moderation_decision"("render_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transfer_resolves_hold_id_key" ON "ledger_transfer"("resolves_hold_id");

-- CreateIndex
CREATE INDEX "ledger_transfer_generation_id_idx" ON "ledger_transfer"("generation_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transfer_account_id_reference_key" ON "ledger_transfer"("account_id", "reference");

-- CreateIndex
CREATE INDEX "ledger_entry_account_id_book_idx" ON "ledger_entry"("account_id", "book");

-- CreateIndex
CREATE UNIQUE INDEX "hold_generation_id_key" ON "hold"("generation_id");

-- CreateIndex
CREATE UNIQUE INDEX "hold_transfer_id_key" ON "hold"("transfer_id");

-- CreateIndex
CREATE INDEX "hold_account_id_idx" ON "hold"("account_id");

-- CreateIndex
CREATE INDEX "rate_limit_theoretical_arrival_at_idx" ON "rate_limit"("theoretical_arrival_at");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generation" ADD CONSTRAINT "generation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "render" ADD CONSTRAINT "render_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "image" ADD CONSTRAINT "image_render_id_fkey" FOREIGN KEY ("render_id") REFERENCES "render"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_call" ADD CONSTRAINT "provider_call_render_id_fkey" FOREIGN KEY ("render_id") REFERENCES "render"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "moderation_decision" ADD CONSTRAINT "moderation_decision_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_resolves_hold_id_fkey" FOREIGN KEY ("resolves_hold_id") REFERENCES "hold"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hold" ADD CONSTRAINT "hold_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hold" ADD CONSTRAINT "hold_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hold" ADD CONSTRAINT "hold_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- From here on: what the Prisma schema cannot say.

-- A balance is never negative, whatever the code believes.
ALTER TABLE "account"
  ADD CONSTRAINT "account_balance_not_negative" CHECK ("balance_micro_eur" >= 0),
  ADD CONSTRAINT "account_held_not_negative" CHECK ("held_micro_eur" >= 0),
  ADD CONSTRAINT "account_unfinished_not_negative" CHECK ("unfinished_jobs" >= 0 AND "unfinished_renders" >= 0);

ALTER TABLE "hold" ADD CONSTRAINT "hold_not_negative" CHECK ("amount_micro_eur" >= 0);
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_not_zero" CHECK ("amount_micro_eur" <> 0);

-- Only a settle or a release resolves a hold, and each of them resolves one.
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_resolves"
  CHECK (("kind" IN ('settle', 'release')) = ("resolves_hold_id" IS NOT NULL));

-- The entries of a transfer are written by one statement and sum to zero.
CREATE FUNCTION "ledger_check_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced uuid;
BEGIN
  SELECT e.transfer_id INTO unbalanced
    FROM ledger_entry e
   WHERE e.transfer_id IN (SELECT transfer_id FROM written)
   GROUP BY e.transfer_id
  HAVING sum(e.amount_micro_eur) <> 0
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transfer % does not sum to zero', unbalanced USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry"
  REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_check_balanced"();

-- What was booked stays booked: a mistake is corrected by another transfer.
CREATE FUNCTION "ledger_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: ledger rows never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "ledger_entry_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
CREATE TRIGGER "ledger_transfer_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transfer"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
CREATE TRIGGER "hold_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "hold"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();

-- Counters of requests: cheap to write, and a crash may forget them.
ALTER TABLE "rate_limit" SET UNLOGGED;
