-- What is final has an end, and nothing else has one.
ALTER TABLE "generation" ADD CONSTRAINT "generation_completed_at_when_final"
  CHECK (("completed_at" IS NULL) = ("status" IN ('pending', 'processing')));
ALTER TABLE "render" ADD CONSTRAINT "render_finished_at_when_final"
  CHECK (("finished_at" IS NULL) = ("status" IN ('waiting', 'ready', 'running')));

-- What is unfinished is found by what has no end. Partial, which the Prisma schema cannot say: as
-- small as the work at hand, however much was done before. An index that began with the status was
-- taken for the way to a single row ("id = … AND status = 'running'") while statistics were young,
-- and led past all rows that had been in that state since the last vacuum.
DROP INDEX "generation_status_deadline_at_idx";
CREATE INDEX "generation_unfinished_idx" ON "generation" ("deadline_at") WHERE "completed_at" IS NULL;
DROP INDEX "render_status_dispatched_at_idx";
CREATE INDEX "render_unfinished_idx" ON "render" ("dispatched_at") WHERE "finished_at" IS NULL;

-- What one statement writes of a transfer sums to zero: so does the transfer, however many write it.
CREATE OR REPLACE FUNCTION "ledger_check_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced uuid;
BEGIN
  SELECT transfer_id INTO unbalanced
    FROM written GROUP BY transfer_id HAVING sum(amount_micro_eur) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transfer % does not sum to zero', unbalanced USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
