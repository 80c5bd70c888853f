-- Where the event of a batch is sent, as its request says.
-- AlterTable
ALTER TABLE "batch" ADD COLUMN     "webhook_id" UUID,
ADD COLUMN     "webhook_url" TEXT;
