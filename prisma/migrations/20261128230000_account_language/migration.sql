-- The language of Studio for an account.
-- AlterTable
ALTER TABLE "account" ADD COLUMN     "language" TEXT;
