-- Prepares the tables that grow with each image to become the first partition of a table that is partitioned
-- by the time in its UUIDv7: see packages/generations/src/partitions.

-- Foreign keys to these tables would be scanned for whenever a month is detached. Rows of these tables are
-- never deleted alone, and the audit checks that each row has the one that it belongs to.
ALTER TABLE "render" DROP CONSTRAINT "render_generation_id_fkey";
ALTER TABLE "image" DROP CONSTRAINT "image_render_id_fkey";
ALTER TABLE "provider_call" DROP CONSTRAINT "provider_call_render_id_fkey";
ALTER TABLE "moderation_decision" DROP CONSTRAINT "moderation_decision_generation_id_fkey";
ALTER TABLE "hold" DROP CONSTRAINT "hold_generation_id_fkey";
ALTER TABLE "ledger_transfer" DROP CONSTRAINT "ledger_transfer_generation_id_fkey";

-- The first partition ends with a month that begins in 45 to 76 days: every id that is made before the next
-- migrations are applied is below. The constraint is not valid, so that no table is scanned under a lock.
DO $$
DECLARE
  bound timestamptz := (date_trunc('month', (now() + interval '45 days') AT TIME ZONE 'UTC') + interval '1 month')
    AT TIME ZONE 'UTC';
  first_id text := rpad(lpad(to_hex(extract(epoch FROM bound)::bigint * 1000), 12, '0'), 32, '0')::uuid;
  partitioned record;
BEGIN
  FOR partitioned IN
    SELECT * FROM (VALUES ('generation', 'id'), ('generation_search', 'generation_id'), ('render', 'id'),
                          ('image', 'render_id'), ('provider_call', 'id'),
                          ('moderation_decision', 'render_id')) AS keys (name, key)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L::uuid) NOT VALID',
                   partitioned.name, partitioned.name || '_first', partitioned.key, first_id);
  END LOOP;
END $$;

-- Months whose rows are no longer in their tables.
CREATE TABLE "archived_partition" (
    "name" TEXT NOT NULL,
    "from_id" UUID NOT NULL,
    "to_id" UUID NOT NULL,
    "detached_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(6),
    "dropped_at" TIMESTAMPTZ(6),
    "files" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "archived_partition_pkey" PRIMARY KEY ("name")
);

-- What jobs of such months were charged, for the budgets of their keys.
CREATE TABLE "archived_spend" (
    "partition" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "charged_micro_eur" BIGINT NOT NULL,
    "last_created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "archived_spend_pkey" PRIMARY KEY ("partition","key_id")
);

-- CreateIndex
CREATE INDEX "archived_spend_key_id_idx" ON "archived_spend"("key_id");

-- Dossiers of such months, which an erasure of their account deletes.
CREATE TABLE "archived_dossier" (
    "render_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,

    CONSTRAINT "archived_dossier_pkey" PRIMARY KEY ("render_id")
);

-- CreateIndex
CREATE INDEX "archived_dossier_account_id_idx" ON "archived_dossier"("account_id");

-- Postgres takes plans of partitioned tables for expensive, and would compile them for 0.3 s although they
-- read few rows. Applies to new connections; a role that does not own the database keeps its setting.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'jit is not turned off for this database';
END $$;
