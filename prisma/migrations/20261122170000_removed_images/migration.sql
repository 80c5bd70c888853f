-- Retention marks an image first (deleted_at: no URLs, no new references), and removes its file then.
-- AlterTable
ALTER TABLE "image" ADD COLUMN "removed_at" TIMESTAMPTZ(6);
UPDATE "image" SET "removed_at" = "deleted_at" WHERE "deleted_at" IS NOT NULL;

-- As small as the files that are to be removed, in the order in which the sweep pages through them.
CREATE INDEX "image_to_remove_idx" ON "image" ("storage_key" COLLATE "C")
 WHERE "deleted_at" IS NOT NULL AND "removed_at" IS NULL;
