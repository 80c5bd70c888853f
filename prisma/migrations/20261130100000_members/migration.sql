-- People of an account, who act through a key of their own.
-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('owner', 'manager', 'maker');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "makers_read_all" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "member" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "role" "member_role" NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "member_key_id_key" ON "member"("key_id");

-- CreateIndex
CREATE UNIQUE INDEX "member_account_id_email_key" ON "member"("account_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "member_issuer_subject_account_id_key" ON "member"("issuer", "subject", "account_id");
