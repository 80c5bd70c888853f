-- When the request and the prompts of a generation were removed, and when its account was erased.
ALTER TABLE "account" ADD COLUMN "erased_at" TIMESTAMPTZ(6);
ALTER TABLE "generation" ADD COLUMN "redacted_at" TIMESTAMPTZ(6);

-- For the sweep: final generations whose request is still stored, oldest first.
CREATE INDEX "generation_to_redact_idx" ON "generation" ("completed_at")
 WHERE "completed_at" IS NOT NULL AND "redacted_at" IS NULL;
