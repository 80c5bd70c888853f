-- AlterTable
ALTER TABLE "render" ADD COLUMN "claim_id" UUID;
