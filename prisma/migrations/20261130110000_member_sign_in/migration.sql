-- When a member last signed in through the identity provider, which orders the accounts of a person.
-- AlterTable
ALTER TABLE "member" ADD COLUMN     "signed_in_at" TIMESTAMPTZ(6);
