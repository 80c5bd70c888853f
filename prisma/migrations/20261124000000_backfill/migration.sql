-- Progress of backfills, which workers run in batches after a migration.
CREATE TABLE "backfill" (
    "name" TEXT NOT NULL,
    "after" UUID,
    "rows_done" BIGINT NOT NULL DEFAULT 0,
    "rows_total" BIGINT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "backfill_pkey" PRIMARY KEY ("name")
);
