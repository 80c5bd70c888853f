-- The vector drawing of a graphic or a diagram, beside the formats of its image.
-- AlterEnum
ALTER TYPE "image_format" ADD VALUE 'svg';
