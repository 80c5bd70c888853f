-- Links that show images of jobs to anyone who has them.
-- CreateTable
CREATE TABLE "share" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "mode" "key_mode" NOT NULL,
    "generation_id" UUID NOT NULL,
    "image" SMALLINT,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "share_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "share_hash_key" ON "share"("hash");

-- CreateIndex
CREATE INDEX "share_account_id_mode_id_idx" ON "share"("account_id", "mode", "id" DESC);

-- CreateIndex
CREATE INDEX "share_generation_id_idx" ON "share"("generation_id");
