-- How many requests a worker sends to a webhook at the same time, and how many deliveries were dropped.
ALTER TABLE "webhook"
  ADD COLUMN "concurrency" SMALLINT NOT NULL DEFAULT 4,
  ADD COLUMN "dropped_deliveries" BIGINT NOT NULL DEFAULT 0;
