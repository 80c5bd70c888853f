-- What is final has an end, and nothing else has one.
ALTER TABLE "generation" ADD CONSTRAINT "generation_completed_at_when_final"
  CHECK (("completed_at" IS NULL) = ("status" IN ('pending', 'processing')));

-- What is unfinished is found by what has no end. Partial, which the Prisma schema cannot say: as
-- small as the work at hand, however much was done before. An index that began with the status was
-- taken for the way to a single row ("id = … AND status = 'processing'") while statistics were young,
-- and led past all rows that had been in that state since the last vacuum.
CREATE INDEX "generation_unfinished_idx" ON "generation" ("deadline_at") WHERE "completed_at" IS NULL;
DROP INDEX "generation_status_deadline_at_idx";
