-- When audits and backups last ran, for metrics and `atelier doctor`.
-- CreateTable
CREATE TABLE "maintenance" (
    "task" TEXT NOT NULL,
    "last_run_at" TIMESTAMPTZ(6) NOT NULL,
    "last_success_at" TIMESTAMPTZ(6),
    "problems" INTEGER NOT NULL,

    CONSTRAINT "maintenance_pkey" PRIMARY KEY ("task")
);
