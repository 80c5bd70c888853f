-- What a completed job shows, so that a read of it is one row. Processes of the previous version change what jobs
-- show too, so triggers mark the jobs whose rows have to be read.
-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "marks" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "result" JSONB;

-- Marks are never removed: two transactions at a time cannot leave a wrong one.
CREATE FUNCTION "mark_noted_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE generation SET marks = marks | 1, result = NULL WHERE id = NEW.generation_id AND marks & 1 = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "job_note_marks_job" AFTER INSERT ON "job_note" FOR EACH ROW EXECUTE FUNCTION "mark_noted_job"();

CREATE FUNCTION "mark_kept_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE generation SET marks = marks | 2, result = NULL WHERE id = NEW.id AND marks & 2 = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "kept_item_marks_job" AFTER INSERT ON "kept_item" FOR EACH ROW
  WHEN (NEW."kind" = 'job') EXECUTE FUNCTION "mark_kept_job"();

CREATE FUNCTION "mark_job_of_deleted_image"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE generation SET marks = marks | 4, result = NULL FROM render
   WHERE render.id = NEW.render_id AND generation.id = render.generation_id AND marks & 4 = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "image_marks_job" AFTER UPDATE OF "deleted_at" ON "image" FOR EACH ROW
  WHEN (NEW."deleted_at" IS DISTINCT FROM OLD."deleted_at") EXECUTE FUNCTION "mark_job_of_deleted_image"();

CREATE FUNCTION "forget_result"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.result := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER "generation_forgets_result" BEFORE UPDATE OF "redacted_at" ON "generation" FOR EACH ROW
  WHEN (NEW."result" IS NOT NULL) EXECUTE FUNCTION "forget_result"();
