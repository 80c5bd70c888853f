-- As for generations, and apart from them: what locks both tables would wait for workers that wait
-- for it.
ALTER TABLE "render" ADD CONSTRAINT "render_finished_at_when_final"
  CHECK (("finished_at" IS NULL) = ("status" IN ('waiting', 'ready', 'running')));
CREATE INDEX "render_unfinished_idx" ON "render" ("dispatched_at") WHERE "finished_at" IS NULL;
DROP INDEX "render_status_dispatched_at_idx";
