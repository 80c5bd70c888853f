-- Presets with a small picture, which Studio offers as styles.
-- AlterTable
ALTER TABLE "preset" ADD COLUMN     "picture" TEXT;
