-- How far a part of the sweep has read a table, so that each row is read once.
-- CreateTable
CREATE TABLE "sweep_progress" (
    "name" TEXT NOT NULL,
    "after" UUID NOT NULL,

    CONSTRAINT "sweep_progress_pkey" PRIMARY KEY ("name")
);
