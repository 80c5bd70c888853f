-- Characters and locations that are drawn from a description: their job makes their images.
-- AlterTable
ALTER TABLE "cast_member" ADD COLUMN     "drawn" BOOLEAN NOT NULL DEFAULT false;
