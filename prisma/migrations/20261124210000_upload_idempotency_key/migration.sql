-- The Idempotency-Key of an upload, which finds it when its request is repeated.
-- AlterTable
ALTER TABLE "upload" ADD COLUMN     "idempotency_key" TEXT;
