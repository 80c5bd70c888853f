-- AlterTable
ALTER TABLE "moderation_decision" ADD COLUMN     "certainty" TEXT;
