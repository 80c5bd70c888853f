-- Properties of requests that accounts saved under a name.
-- CreateTable
CREATE TABLE "preset" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mode" "key_mode" NOT NULL,
    "name" TEXT NOT NULL,
    "operation" "generation_operation" NOT NULL,
    "request" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "saved_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "preset_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "preset_account_id_mode_id_idx" ON "preset"("account_id", "mode", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "preset_account_id_mode_name_key" ON "preset"("account_id", "mode", "name");
