-- Images that an account keeps until it deletes them: what is kept, and its files.
-- CreateEnum
CREATE TYPE "kept_kind" AS ENUM ('job');

-- CreateEnum
CREATE TYPE "kept_status" AS ENUM ('requested', 'copying', 'kept', 'refused');

-- AlterTable
ALTER TABLE "account" ADD COLUMN     "kept_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "kept_item" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" "kept_kind" NOT NULL,
    "status" "kept_status" NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "kept_file" (
    "storage_key" TEXT NOT NULL,
    "item_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "render_id" UUID,
    "format" "image_format" NOT NULL,
    "source_key" TEXT,
    "sha256" CHAR(64) NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "kept_file_pkey" PRIMARY KEY ("storage_key")
);

-- CreateIndex
CREATE INDEX "kept_item_account_id_id_idx" ON "kept_item"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "kept_item_account_id_size_bytes_idx" ON "kept_item"("account_id", "size_bytes" DESC);

-- CreateIndex
CREATE INDEX "kept_file_item_id_idx" ON "kept_file"("item_id");

-- CreateIndex
CREATE INDEX "kept_file_render_id_idx" ON "kept_file"("render_id");

-- For workers that reserve, copy and remove files; small, because these end soon.
CREATE INDEX "kept_item_requested" ON "kept_item"("id") WHERE status = 'requested';
CREATE INDEX "kept_file_source_key" ON "kept_file"("source_key") WHERE source_key IS NOT NULL;
CREATE INDEX "kept_file_deleted" ON "kept_file"("deleted_at") WHERE deleted_at IS NOT NULL;
