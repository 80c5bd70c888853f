-- Jobs whose response was not given out yet, by the request that they were accepted for.
CREATE INDEX CONCURRENTLY "generation_answer_idx" ON "generation" ("answer_hash", "created_at") WHERE "answer_hash" IS NOT NULL;
