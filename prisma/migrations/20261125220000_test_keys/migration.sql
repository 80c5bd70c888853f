-- Keys and jobs for tests of clients: drawn by built-in models, never charged. Earlier ones are live.
-- CreateEnum
CREATE TYPE "key_mode" AS ENUM ('live', 'test');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "test_day" DATE,
ADD COLUMN     "test_images" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "mode" "key_mode" NOT NULL DEFAULT 'live';

-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "mode" "key_mode" NOT NULL DEFAULT 'live';
