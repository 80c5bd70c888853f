-- AlterTable
ALTER TABLE "generation" ADD COLUMN "cancel_requested_at" TIMESTAMPTZ(6);
