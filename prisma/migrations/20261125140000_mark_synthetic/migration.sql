-- What the record says of the making of an image, for copies without metadata. Null for older records.
-- CreateEnum
CREATE TYPE "synthetic_source" AS ENUM ('trained_model', 'rules', 'composite');

-- AlterTable
ALTER TABLE "mark" ADD COLUMN "synthetic" "synthetic_source";
