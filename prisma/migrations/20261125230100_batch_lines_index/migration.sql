-- The jobs of a batch in the order of its lines, each line once.
CREATE UNIQUE INDEX CONCURRENTLY "generation_batch_line_key" ON "generation" ("batch_id", "batch_line") WHERE "batch_id" IS NOT NULL;
