-- The operator's own id of an account.
-- AlterTable
ALTER TABLE "account" ADD COLUMN     "external_id" TEXT;
