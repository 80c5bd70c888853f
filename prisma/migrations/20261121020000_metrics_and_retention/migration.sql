-- Sums what came in from outside, for the metrics: one small row for each top-up, among the many
-- entries of jobs. Partial, which the Prisma schema cannot say.
CREATE INDEX "ledger_entry_deposits_idx" ON "ledger_entry" ("amount_micro_eur") WHERE "book" = 'deposits';

-- CreateTable
CREATE TABLE "recurring_task" (
    "task" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "next_turn_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "recurring_task_pkey" PRIMARY KEY ("task")
);

-- AlterTable
ALTER TABLE "generation" ADD COLUMN "trace_parent" TEXT;
