-- The schema of version 0.2.0: everything that the migrations up to commit 590ce50 created. Databases
-- that have all of those count as having this one; see packages/database/src/migrations/baseline.ts.

CREATE TYPE "strictness" AS ENUM ('normal', 'liberal');
CREATE TYPE "budget_period" AS ENUM ('total', 'day', 'month');
CREATE TYPE "generation_kind" AS ENUM ('image', 'story');
CREATE TYPE "generation_operation" AS ENUM ('image', 'story', 'scene', 'edit', 'combine', 'graphic', 'diagram');
CREATE TYPE "generation_status" AS ENUM ('pending', 'processing', 'completed', 'failed', 'cancelled');
CREATE TYPE "render_role" AS ENUM ('image', 'portrait', 'state', 'location', 'scene');
CREATE TYPE "render_status" AS ENUM ('waiting', 'ready', 'running', 'done', 'failed', 'cancelled');
CREATE TYPE "image_format" AS ENUM ('png', 'jpeg', 'webp', 'thumbnail', 'svg');
CREATE TYPE "provider_outcome" AS ENUM ('image', 'refused', 'rate_limited', 'out_of_quota', 'invalid_request', 'unavailable', 'unknown');
CREATE TYPE "transfer_kind" AS ENUM ('top_up', 'withdrawal', 'hold', 'settle', 'release');
CREATE TYPE "ledger_book" AS ENUM ('deposits', 'available', 'held', 'revenue');
CREATE TYPE "event_type" AS ENUM ('job.updated', 'job.image_completed', 'job.completed', 'job.failed', 'job.cancelled', 'account.balance_low');
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed');

CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "strictness" "strictness" NOT NULL DEFAULT 'normal',
    "balance_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "held_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "unfinished_jobs" INTEGER NOT NULL DEFAULT 0,
    "unfinished_renders" INTEGER NOT NULL DEFAULT 0,
    "retention_hours" INTEGER,
    "low_balance_micro_eur" BIGINT,
    "suspended_at" TIMESTAMPTZ(6),
    "erased_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "previous_hash" BYTEA,
    "previous_expires_at" TIMESTAMPTZ(6),
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY['generate', 'read', 'manage']::TEXT[],
    "models" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "budget_micro_eur" BIGINT,
    "budget_period" "budget_period" NOT NULL DEFAULT 'total',
    "spent_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "spent_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "studio_link" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "studio_link_pkey" PRIMARY KEY ("hash")
);

CREATE TABLE "generation" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "key_id" UUID,
    "kind" "generation_kind" NOT NULL,
    "operation" "generation_operation" NOT NULL DEFAULT 'image',
    "status" "generation_status" NOT NULL DEFAULT 'pending',
    "model" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "seed" BIGINT,
    "strictness" "strictness" NOT NULL,
    "title" TEXT,
    "price_micro_eur" BIGINT NOT NULL,
    "charged_micro_eur" BIGINT,
    "balance_after_micro_eur" BIGINT,
    "error" JSONB,
    "renders_total" INTEGER NOT NULL,
    "scenes_total" INTEGER,
    "scenes_completed" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "deadline_at" TIMESTAMPTZ(6) NOT NULL,
    "cancel_requested_at" TIMESTAMPTZ(6),
    "trace_parent" TEXT,
    "redacted_at" TIMESTAMPTZ(6),

    CONSTRAINT "generation_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "generation_search" (
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "generation_search_pkey" PRIMARY KEY ("account_id","generation_id")
);

CREATE TABLE "idempotency_key" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "generation_id" UUID NOT NULL,
    "answer_due_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("account_id","key")
);

CREATE TABLE "render" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "render_role" NOT NULL,
    "status" "render_status" NOT NULL,
    "lane" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "waits_for" UUID[],
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "claim_id" UUID,
    "turn" JSONB,
    "last_error" JSONB,
    "dispatched_at" TIMESTAMPTZ(6),
    "claimed_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "render_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "image" (
    "render_id" UUID NOT NULL,
    "format" "image_format" NOT NULL,
    "storage_key" TEXT NOT NULL,
    "sha256" CHAR(64) NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "flattened" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),
    "removed_at" TIMESTAMPTZ(6),

    CONSTRAINT "image_pkey" PRIMARY KEY ("render_id","format")
);

CREATE TABLE "mark" (
    "render_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "watermark_id" CHAR(16),
    "perceptual_hash" BIT(256),
    "parent_watermarks" TEXT[] NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mark_pkey" PRIMARY KEY ("render_id")
);

CREATE TABLE "mark_file" (
    "sha256" CHAR(64) NOT NULL,
    "render_id" UUID NOT NULL,
    "format" "image_format" NOT NULL,

    CONSTRAINT "mark_file_pkey" PRIMARY KEY ("sha256")
);

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

CREATE TABLE "provider_call" (
    "id" UUID NOT NULL,
    "render_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "request_id" TEXT,
    "outcome" "provider_outcome",
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "provider_call_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "moderation_decision" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "render_id" UUID NOT NULL,
    "moderator" TEXT NOT NULL,
    "strictness" "strictness" NOT NULL,
    "allowed" BOOLEAN NOT NULL,
    "category" TEXT,
    "path" TEXT,
    "prompt_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "moderation_decision_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ledger_transfer" (
    "id" UUID NOT NULL,
    "kind" "transfer_kind" NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID,
    "resolves_hold_id" UUID,
    "reference" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_transfer_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ledger_entry" (
    "transfer_id" UUID NOT NULL,
    "book" "ledger_book" NOT NULL,
    "account_id" UUID NOT NULL,
    "amount_micro_eur" BIGINT NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transfer_id","book")
);

CREATE TABLE "hold" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "transfer_id" UUID NOT NULL,
    "amount_micro_eur" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hold_pkey" PRIMARY KEY ("id")
);

-- A crash may empty it, which resets the limits.
CREATE UNLOGGED TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "theoretical_arrival_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "lane_health" (
    "lane" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_render_id" UUID NOT NULL,
    "open_until" TIMESTAMPTZ(6),
    "probe_until" TIMESTAMPTZ(6),
    "reason" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lane_health_pkey" PRIMARY KEY ("lane")
);

CREATE TABLE "recurring_task" (
    "task" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "next_turn_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "recurring_task_pkey" PRIMARY KEY ("task")
);

CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID,
    "type" "event_type" NOT NULL,
    "data" JSONB,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "horizon" BIGINT NOT NULL DEFAULT ((pg_snapshot_xmin(pg_current_snapshot()))::text)::bigint,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("account_id","id")
);

CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(6),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "claimed_until" TIMESTAMPTZ(6),
    "paused_until" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(6),
    "disabled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "webhook_id" UUID NOT NULL,
    "event_id" BIGINT NOT NULL,
    "generation_id" UUID,
    "type" TEXT NOT NULL,
    "data" JSONB,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "give_up_at" TIMESTAMPTZ(6) NOT NULL DEFAULT (now() + '24:00:00'::interval),
    "last_attempt_at" TIMESTAMPTZ(6),
    "response_status" INTEGER,
    "error" TEXT,
    "attempt_log" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");
CREATE INDEX "api_key_account_id_idx" ON "api_key"("account_id");
CREATE INDEX "generation_account_id_kind_status_id_idx" ON "generation"("account_id", "kind", "status", "id" DESC);
CREATE INDEX "generation_key_id_kind_status_id_idx" ON "generation"("key_id", "kind", "status", "id" DESC);

-- Postgres adds new terms to a list and moves them into the index when it is full. A short list keeps
-- the request that fills it fast.
CREATE INDEX "generation_search_terms_idx" ON "generation_search" USING GIN ("terms")
  WITH (gin_pending_list_limit = 256);
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
CREATE UNIQUE INDEX "render_generation_id_position_key" ON "render"("generation_id", "position");
CREATE INDEX "image_deleted_at_created_at_idx" ON "image"("deleted_at", "created_at");
CREATE UNIQUE INDEX "mark_watermark_id_key" ON "mark"("watermark_id");
CREATE INDEX "mark_file_render_id_idx" ON "mark_file"("render_id");
CREATE INDEX "upload_account_id_idx" ON "upload"("account_id");
CREATE INDEX "upload_expires_at_idx" ON "upload"("expires_at");
CREATE UNIQUE INDEX "provider_call_render_id_attempt_key" ON "provider_call"("render_id", "attempt");
CREATE INDEX "moderation_decision_generation_id_idx" ON "moderation_decision"("generation_id");
CREATE UNIQUE INDEX "moderation_decision_render_id_key" ON "moderation_decision"("render_id");
CREATE UNIQUE INDEX "ledger_transfer_resolves_hold_id_key" ON "ledger_transfer"("resolves_hold_id");
CREATE INDEX "ledger_transfer_account_id_id_idx" ON "ledger_transfer"("account_id", "id");
CREATE INDEX "ledger_transfer_generation_id_idx" ON "ledger_transfer"("generation_id");
CREATE UNIQUE INDEX "ledger_transfer_account_id_reference_key" ON "ledger_transfer"("account_id", "reference");
CREATE UNIQUE INDEX "hold_generation_id_key" ON "hold"("generation_id");
CREATE UNIQUE INDEX "hold_transfer_id_key" ON "hold"("transfer_id");
CREATE INDEX "rate_limit_theoretical_arrival_at_idx" ON "rate_limit"("theoretical_arrival_at");
CREATE INDEX "event_xid_idx" ON "event"("xid");
CREATE INDEX "webhook_account_id_idx" ON "webhook"("account_id");
CREATE INDEX "webhook_delivery_webhook_id_id_idx" ON "webhook_delivery"("webhook_id", "id" DESC);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "generation" ADD CONSTRAINT "generation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "render" ADD CONSTRAINT "render_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "image" ADD CONSTRAINT "image_render_id_fkey" FOREIGN KEY ("render_id") REFERENCES "render"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "upload" ADD CONSTRAINT "upload_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_call" ADD CONSTRAINT "provider_call_render_id_fkey" FOREIGN KEY ("render_id") REFERENCES "render"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "moderation_decision" ADD CONSTRAINT "moderation_decision_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_resolves_hold_id_fkey" FOREIGN KEY ("resolves_hold_id") REFERENCES "hold"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "hold" ADD CONSTRAINT "hold_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "hold" ADD CONSTRAINT "hold_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "hold" ADD CONSTRAINT "hold_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Everything below cannot be expressed in schema.prisma.

-- Partial indexes: each is as small as the rows that its query needs.
-- Unfinished work. An index that begins with the status is worse: with young statistics, Postgres uses
-- it to find a single row (id = … AND status = 'processing') and reads all rows of that status.
CREATE INDEX "generation_unfinished_idx" ON "generation" ("deadline_at") WHERE "completed_at" IS NULL;
CREATE INDEX "render_unfinished_idx" ON "render" ("dispatched_at") WHERE "finished_at" IS NULL;
-- Final generations whose request is still stored, oldest first.
CREATE INDEX "generation_to_redact_idx" ON "generation" ("completed_at")
 WHERE "completed_at" IS NOT NULL AND "redacted_at" IS NULL;
-- Files that the sweep must remove, in its order.
CREATE INDEX "image_to_remove_idx" ON "image" ("storage_key" COLLATE "C")
 WHERE "deleted_at" IS NOT NULL AND "removed_at" IS NULL;
-- Accounts with a retention of their own.
CREATE INDEX "account_retention_idx" ON "account" ("id") WHERE "retention_hours" IS NOT NULL;
-- Deposits, for the metrics: one small row per top-up among the many entries of jobs.
CREATE INDEX "ledger_entry_deposits_idx" ON "ledger_entry" ("amount_micro_eur") WHERE "book" = 'deposits';
-- Usage (the ends of an account's jobs in a time range) and lists of transactions. Neither shows holds.
CREATE INDEX "ledger_transfer_account_id_kind_created_at_id_idx"
    ON "ledger_transfer" ("account_id", "kind", "created_at", "id") WHERE "kind" <> 'hold';
-- The replay of a job's events.
CREATE INDEX "event_generation_id_id_idx" ON "event" ("generation_id", "id")
 WHERE "generation_id" IS NOT NULL;
-- The first pending delivery of each job, in the order of the events.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("webhook_id", "generation_id", "event_id")
 WHERE "status" = 'pending';

-- The 16 slices of a perceptual hash, each with its place. Two hashes that differ in at most 15 bits
-- have one in common.
CREATE FUNCTION hash_slices(hash bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY[
  substring(hash FROM   1 FOR 16)::int,            substring(hash FROM  17 FOR 16)::int |  65536,
  substring(hash FROM  33 FOR 16)::int | 131072,   substring(hash FROM  49 FOR 16)::int | 196608,
  substring(hash FROM  65 FOR 16)::int | 262144,   substring(hash FROM  81 FOR 16)::int | 327680,
  substring(hash FROM  97 FOR 16)::int | 393216,   substring(hash FROM 113 FOR 16)::int | 458752,
  substring(hash FROM 129 FOR 16)::int | 524288,   substring(hash FROM 145 FOR 16)::int | 589824,
  substring(hash FROM 161 FOR 16)::int | 655360,   substring(hash FROM 177 FOR 16)::int | 720896,
  substring(hash FROM 193 FOR 16)::int | 786432,   substring(hash FROM 209 FOR 16)::int | 851968,
  substring(hash FROM 225 FOR 16)::int | 917504,   substring(hash FROM 241 FOR 16)::int | 983040
];
CREATE INDEX "mark_hash_slices_idx" ON "mark" USING gin (hash_slices(perceptual_hash));

-- Amounts and counters are never negative, whatever the code computes.
ALTER TABLE "account"
  ADD CONSTRAINT "account_balance_not_negative" CHECK ("balance_micro_eur" >= 0),
  ADD CONSTRAINT "account_held_not_negative" CHECK ("held_micro_eur" >= 0),
  ADD CONSTRAINT "account_unfinished_not_negative" CHECK ("unfinished_jobs" >= 0 AND "unfinished_renders" >= 0),
  ADD CONSTRAINT "account_retention_positive" CHECK ("retention_hours" > 0),
  ADD CONSTRAINT "account_low_balance_not_negative" CHECK ("low_balance_micro_eur" >= 0);
ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_spent_not_negative" CHECK ("spent_micro_eur" >= 0),
  ADD CONSTRAINT "api_key_budget_not_negative" CHECK ("budget_micro_eur" >= 0);
ALTER TABLE "hold" ADD CONSTRAINT "hold_not_negative" CHECK ("amount_micro_eur" >= 0);
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_not_zero" CHECK ("amount_micro_eur" <> 0);

-- Final rows have an end, and only they.
ALTER TABLE "generation" ADD CONSTRAINT "generation_completed_at_when_final"
  CHECK (("completed_at" IS NULL) = ("status" IN ('pending', 'processing')));
ALTER TABLE "render" ADD CONSTRAINT "render_finished_at_when_final"
  CHECK (("finished_at" IS NULL) = ("status" IN ('waiting', 'ready', 'running')));

-- An upload has all properties of its file, or none before it is received.
ALTER TABLE "upload" ADD CONSTRAINT "upload_received" CHECK (
  ("storage_key" IS NULL) = ("format" IS NULL) AND ("storage_key" IS NULL) = ("sha256" IS NULL)
  AND ("storage_key" IS NULL) = ("width" IS NULL) AND ("storage_key" IS NULL) = ("height" IS NULL));

-- Only a settle or a release resolves a hold, and each of them resolves one.
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_resolves"
  CHECK (("kind" IN ('settle', 'release')) = ("resolves_hold_id" IS NOT NULL));

-- The entries of a transfer sum to zero: the entries of each statement do.
CREATE FUNCTION "ledger_check_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced uuid;
BEGIN
  SELECT transfer_id INTO unbalanced
    FROM written GROUP BY transfer_id HAVING sum(amount_micro_eur) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transfer % does not sum to zero', unbalanced USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry"
  REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_check_balanced"();

-- Ledger rows never change: a mistake is corrected by another transfer.
CREATE FUNCTION "ledger_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: ledger rows never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "ledger_entry_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
CREATE TRIGGER "ledger_transfer_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transfer"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
CREATE TRIGGER "hold_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "hold"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
