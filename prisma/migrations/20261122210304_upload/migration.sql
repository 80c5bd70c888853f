-- CreateTable
CREATE TABLE "upload" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "storage_key" TEXT,
    "format" "image_format",
    "sha256" CHAR(64),
    "width" INTEGER,
    "height" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "upload_account_id_idx" ON "upload"("account_id");

-- CreateIndex
CREATE INDEX "upload_expires_at_idx" ON "upload"("expires_at");

-- AddForeignKey
ALTER TABLE "upload" ADD CONSTRAINT "upload_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "upload" ADD CONSTRAINT "upload_received" CHECK (
  ("storage_key" IS NULL) = ("format" IS NULL) AND ("storage_key" IS NULL) = ("sha256" IS NULL)
  AND ("storage_key" IS NULL) = ("width" IS NULL) AND ("storage_key" IS NULL) = ("height" IS NULL));
