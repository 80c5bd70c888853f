-- The mode of batches, so that lists of one mode do not read those of the other.
-- AlterTable
ALTER TABLE "batch" ADD COLUMN     "mode" "key_mode";

-- Sets the mode of a new batch. A trigger, because API processes of the previous version create batches too.
CREATE FUNCTION "set_mode_of_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.mode := (SELECT mode FROM api_key WHERE id = NEW.key_id);
  RETURN NEW;
END $$;

CREATE TRIGGER "batch_has_mode" BEFORE INSERT ON "batch" FOR EACH ROW
  WHEN (NEW."mode" IS NULL) EXECUTE FUNCTION "set_mode_of_batch"();
