-- Expand: budgets that keys of an account share, beside their own.
ALTER TYPE "event_type" ADD VALUE 'budget.low';

-- CreateEnum
CREATE TYPE "shared_budget_period" AS ENUM ('total', 'day', 'week', 'month');

-- CreateTable
CREATE TABLE "budget" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "budget_micro_eur" BIGINT NOT NULL,
    "budget_period" "shared_budget_period" NOT NULL,
    "spent_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "spent_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "held_micro_eur" BIGINT NOT NULL DEFAULT 0,
    "is_low" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "archived_budget_usage" (
    "account_id" UUID NOT NULL,
    "budget_id" UUID NOT NULL,
    "ended_on" DATE NOT NULL,
    "accepted_on" DATE NOT NULL,
    "jobs" INTEGER NOT NULL,
    "images" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "charged_micro_eur" BIGINT NOT NULL,

    CONSTRAINT "archived_budget_usage_pkey" PRIMARY KEY ("account_id","budget_id","ended_on","accepted_on")
);

-- CreateIndex
CREATE INDEX "budget_account_id_idx" ON "budget"("account_id");

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "budget_id" UUID;

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "budget_id" UUID;

-- Null for all earlier jobs. Jobs of versions that do not name the column get the zero UUID, and from it the budget
-- of their key.
-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "budget_id" UUID;
ALTER TABLE "generation" ALTER COLUMN "budget_id" SET DEFAULT '00000000-0000-0000-0000-000000000000'::uuid;

-- Counts a job that a version without shared budgets has accepted, which did not check the budget. The account and
-- the key are locked before.
CREATE FUNCTION "count_job_in_budget_of_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.budget_id := (SELECT budget_id FROM api_key WHERE id = NEW.key_id AND NEW.mode = 'live');
  IF NEW.budget_id IS NOT NULL THEN
    UPDATE budget
       SET spent_micro_eur = CASE WHEN spent_since < started_at THEN 0 ELSE spent_micro_eur END + NEW.price_micro_eur,
           held_micro_eur = CASE WHEN spent_since < started_at THEN 0 ELSE held_micro_eur END + NEW.price_micro_eur,
           is_low = is_low AND spent_since >= started_at,
           spent_since = greatest(spent_since, started_at)
      FROM (SELECT CASE WHEN budget_period = 'total' THEN '-infinity'
                        ELSE date_trunc(budget_period::text, now(), 'UTC') END AS started_at
              FROM budget WHERE id = NEW.budget_id) AS period
     WHERE id = NEW.budget_id AND spent_since <= NEW.created_at;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "generation_has_budget" BEFORE INSERT ON "generation" FOR EACH ROW
  WHEN (NEW."budget_id" = '00000000-0000-0000-0000-000000000000'::uuid)
  EXECUTE FUNCTION "count_job_in_budget_of_key"();

-- Returns the uncharged part of a job to its budget when it ends. A trigger, because workers of the previous version
-- end jobs too. The account of the job is locked before. Jobs of earlier periods change nothing.
CREATE FUNCTION "settle_job_in_budget"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE budget
     SET spent_micro_eur = spent_micro_eur - hold.amount_micro_eur + coalesce(NEW.charged_micro_eur, 0),
         held_micro_eur = held_micro_eur - hold.amount_micro_eur
    FROM hold
   WHERE hold.generation_id = NEW.id AND budget.id = NEW.budget_id AND spent_since <= NEW.created_at;
  RETURN NULL;
END $$;

CREATE TRIGGER "generation_settled_in_budget" AFTER UPDATE OF "status" ON "generation" FOR EACH ROW
  WHEN (NEW."budget_id" IS NOT NULL AND OLD."completed_at" IS NULL AND NEW."completed_at" IS NOT NULL)
  EXECUTE FUNCTION "settle_job_in_budget"();

-- A key that another one creates has the budget of its maker, also when a version without budgets creates it.
CREATE FUNCTION "inherit_budget_of_maker"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.budget_id := (SELECT budget_id FROM api_key WHERE id = NEW.parent_id);
  RETURN NEW;
END $$;

CREATE TRIGGER "api_key_inherits_budget" BEFORE INSERT ON "api_key" FOR EACH ROW
  WHEN (NEW."parent_id" IS NOT NULL AND NEW."budget_id" IS NULL)
  EXECUTE FUNCTION "inherit_budget_of_maker"();

CREATE TRIGGER "api_key_moves_caller" AFTER UPDATE OF "budget_id" ON "api_key" FOR EACH ROW
  WHEN (OLD."budget_id" IS DISTINCT FROM NEW."budget_id")
  EXECUTE FUNCTION "notify_caller_change"('account_id');
