-- Old jobs are archived to the storage (packages/generations/src/archive). Holds and transfers of the ledger
-- keep the id of a job whose rows are no longer in the tables; the audit checks that the archive has it.
ALTER TABLE "hold" DROP CONSTRAINT "hold_generation_id_fkey";
ALTER TABLE "ledger_transfer" DROP CONSTRAINT "ledger_transfer_generation_id_fkey";

CREATE TABLE "archive_part" (
    "id" UUID NOT NULL,
    "month" CHAR(7) NOT NULL,
    "first_id" UUID NOT NULL,
    "last_id" UUID NOT NULL,
    "account_ids" UUID[] NOT NULL,
    "jobs" INTEGER NOT NULL,
    "jobs_deleted" INTEGER NOT NULL DEFAULT 0,
    "storage_key" TEXT,
    "pending_key" TEXT,
    "sha256" CHAR(64),
    "size_bytes" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(6),

    CONSTRAINT "archive_part_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "archived_usage" (
    "account_id" UUID NOT NULL,
    "ended_on" DATE NOT NULL,
    "accepted_on" DATE NOT NULL,
    "key_id" UUID NOT NULL,
    "mode" "key_mode" NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "model" TEXT NOT NULL,
    "jobs" INTEGER NOT NULL,
    "images" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "charged_micro_eur" BIGINT NOT NULL,

    CONSTRAINT "archived_usage_pkey" PRIMARY KEY ("account_id", "ended_on", "accepted_on", "key_id", "mode", "kind", "model")
);

CREATE INDEX "archived_usage_key_id_accepted_on_idx" ON "archived_usage"("key_id", "accepted_on");
