-- Images of batches that wait for a place in their lane, and the time of a line after its first claim.
-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "deadline_after_claim_ms" INTEGER;

-- AlterTable
ALTER TABLE "render" ADD COLUMN     "place_account_id" UUID;
