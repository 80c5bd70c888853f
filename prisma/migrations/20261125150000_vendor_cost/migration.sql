-- What a call used, what the vendor charges for it, and how that is known. Null for older calls.
-- CreateEnum
CREATE TYPE "cost_basis" AS ENUM ('reported', 'computed', 'estimated', 'unknown');

-- AlterTable
ALTER TABLE "provider_call" ADD COLUMN "cost_basis" "cost_basis",
ADD COLUMN "cost_currency" CHAR(3),
ADD COLUMN "cost_micro" BIGINT,
ADD COLUMN "cost_micro_eur" BIGINT,
ADD COLUMN "micro_eur_per_usd" BIGINT,
ADD COLUMN "price" JSONB,
ADD COLUMN "units" JSONB;
