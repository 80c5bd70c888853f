-- The attempts of a delivery with their outcomes. Those of earlier deliveries are unknown.
-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "attempt_log" JSONB NOT NULL DEFAULT '[]';
