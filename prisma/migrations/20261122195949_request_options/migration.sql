-- What the client stores with a job, and the seed of its first image (unknown for earlier jobs).
-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "metadata" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "seed" BIGINT;

-- AlterTable
ALTER TABLE "image" ADD COLUMN     "flattened" BOOLEAN NOT NULL DEFAULT false;
