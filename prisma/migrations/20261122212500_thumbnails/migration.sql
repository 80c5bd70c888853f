-- A small WebP beside the formats of an image. Images from before have none.
-- AlterEnum
ALTER TYPE "image_format" ADD VALUE 'thumbnail';
