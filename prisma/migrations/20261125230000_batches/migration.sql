-- Batches: many requests that are accepted in the background.
-- CreateEnum
CREATE TYPE "batch_status" AS ENUM ('processing', 'cancelling', 'completed', 'failed', 'cancelled');

-- AlterEnum
ALTER TYPE "event_type" ADD VALUE 'batch.completed';

-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "batch_line" INTEGER;

-- CreateTable
CREATE TABLE "batch" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "status" "batch_status" NOT NULL DEFAULT 'processing',
    "lines_total" INTEGER NOT NULL,
    "lines_taken" INTEGER NOT NULL DEFAULT 0,
    "lines_refused" INTEGER NOT NULL DEFAULT 0,
    "jobs_completed" INTEGER NOT NULL DEFAULT 0,
    "jobs_failed" INTEGER NOT NULL DEFAULT 0,
    "jobs_cancelled" INTEGER NOT NULL DEFAULT 0,
    "charged_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "waits_for" JSONB,
    "error" JSONB,
    "turn_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "completed_at" TIMESTAMPTZ(6),
    "idempotency_key" TEXT,
    "request_hash" BYTEA,

    CONSTRAINT "batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_part" (
    "owner_id" UUID NOT NULL,
    "first_line" INTEGER NOT NULL,
    "last_line" INTEGER NOT NULL,
    "lines" BYTEA NOT NULL,

    CONSTRAINT "request_part_pkey" PRIMARY KEY ("owner_id","first_line")
);

-- CreateTable
CREATE TABLE "batch_refusal" (
    "batch_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "error" JSONB NOT NULL,

    CONSTRAINT "batch_refusal_pkey" PRIMARY KEY ("batch_id","line")
);

-- CreateIndex
CREATE INDEX "batch_account_id_id_idx" ON "batch"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "batch_key_id_id_idx" ON "batch"("key_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "batch_account_id_idempotency_key_key" ON "batch"("account_id", "idempotency_key");

-- For the next turn, and for the limit of an account.
CREATE INDEX "batch_turn_idx" ON "batch" ("turn_at") WHERE "completed_at" IS NULL;

-- For the retention.
CREATE INDEX "batch_completed_idx" ON "batch" ("completed_at") WHERE "completed_at" IS NOT NULL;

ALTER TABLE "batch" ADD CONSTRAINT "batch_completed_at_when_final"
  CHECK (("completed_at" IS NULL) = ("status" IN ('processing', 'cancelling')));
ALTER TABLE "batch" ADD CONSTRAINT "batch_lines_taken" CHECK (
  "lines_taken" BETWEEN 0 AND "lines_total"
  AND "lines_refused" + "jobs_completed" + "jobs_failed" + "jobs_cancelled" <= "lines_taken");

-- Counts a job of a batch when it ends. A trigger, because workers of the previous version end jobs too. The
-- account of the job is locked before, as it is when a job is accepted.
CREATE FUNCTION "count_job_of_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch
     SET jobs_completed = jobs_completed + (NEW.status = 'completed')::int,
         jobs_failed = jobs_failed + (NEW.status = 'failed')::int,
         jobs_cancelled = jobs_cancelled + (NEW.status = 'cancelled')::int,
         charged_micro_eur = charged_micro_eur + coalesce(NEW.charged_micro_eur, 0)
   WHERE id = NEW.batch_id;
  RETURN NULL;
END $$;

CREATE TRIGGER "generation_counted_in_batch" AFTER UPDATE OF "status" ON "generation" FOR EACH ROW
  WHEN (NEW."batch_id" IS NOT NULL AND OLD."completed_at" IS NULL AND NEW."completed_at" IS NOT NULL)
  EXECUTE FUNCTION "count_job_of_batch"();
