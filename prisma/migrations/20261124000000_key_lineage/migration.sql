-- The key that created a key or a webhook. Earlier ones have none, and stay.
-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "parent_id" UUID;

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "key_id" UUID;

-- Sessions of Studio. No foreign keys: rows of ended sessions are deleted with or before their key ends.
-- CreateTable
CREATE TABLE "studio_session" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "is_superseded" BOOLEAN NOT NULL DEFAULT false,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "studio_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "studio_session_account_id_idx" ON "studio_session"("account_id");
