-- Reads are admitted by what a process remembers of their key for at most a second. Triggers drop it, so that
-- changes by operators and by processes of the previous version drop it too.
-- AlterTable
ALTER TABLE "rate_limit" ADD COLUMN     "leased" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "leases_end_at" TIMESTAMPTZ(6);

CREATE FUNCTION "notify_caller_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('caller_change', to_jsonb(OLD)->>TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER "api_key_changes_caller"
  AFTER UPDATE OF "account_id", "parent_id", "hash", "previous_hash", "previous_expires_at", "mode", "scopes", "models",
                  "budget_micro_eur", "expires_at", "revoked_at" ON "api_key" FOR EACH ROW
  WHEN ((OLD."account_id", OLD."parent_id", OLD."hash", OLD."previous_hash", OLD."previous_expires_at", OLD."mode", OLD."scopes",
         OLD."models", OLD."budget_micro_eur", OLD."expires_at", OLD."revoked_at")
        IS DISTINCT FROM
        (NEW."account_id", NEW."parent_id", NEW."hash", NEW."previous_hash", NEW."previous_expires_at", NEW."mode", NEW."scopes",
         NEW."models", NEW."budget_micro_eur", NEW."expires_at", NEW."revoked_at"))
  EXECUTE FUNCTION "notify_caller_change"('account_id');

CREATE TRIGGER "api_key_ends_caller" AFTER DELETE ON "api_key" FOR EACH ROW
  EXECUTE FUNCTION "notify_caller_change"('account_id');

CREATE TRIGGER "account_changes_caller" AFTER UPDATE OF "strictness", "suspended_at" ON "account" FOR EACH ROW
  WHEN ((OLD."strictness", OLD."suspended_at") IS DISTINCT FROM (NEW."strictness", NEW."suspended_at"))
  EXECUTE FUNCTION "notify_caller_change"('id');
