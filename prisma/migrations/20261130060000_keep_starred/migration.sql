-- Accounts whose starred jobs are kept.
-- AlterTable
ALTER TABLE "account" ADD COLUMN     "keep_starred" BOOLEAN NOT NULL DEFAULT false;
