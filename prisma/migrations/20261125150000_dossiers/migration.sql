-- Where the dossier of an image is stored, and the ids of the manifests in it. Null for older records.
-- AlterTable
ALTER TABLE "mark" ADD COLUMN     "dossier_attempt" INTEGER;

-- AlterTable
ALTER TABLE "mark_file" ADD COLUMN     "manifest_id" UUID;
