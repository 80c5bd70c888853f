-- Jobs that accounts put together.
-- CreateTable
CREATE TABLE "collection" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mode" "key_mode" NOT NULL,
    "name" TEXT NOT NULL,
    "job_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "collection_job" (
    "collection_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,

    CONSTRAINT "collection_job_pkey" PRIMARY KEY ("collection_id","generation_id")
);

-- CreateIndex
CREATE INDEX "collection_account_id_mode_id_idx" ON "collection"("account_id", "mode", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "collection_account_id_mode_name_key" ON "collection"("account_id", "mode", "name");
