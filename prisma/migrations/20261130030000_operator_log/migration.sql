-- CreateTable
CREATE TABLE "operator_log" (
    "number" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target_id" UUID,
    "fields" TEXT[],
    "request_id" TEXT,
    "values_hash" BYTEA,
    "is_sealed" BOOLEAN NOT NULL,
    "digest" BYTEA NOT NULL,

    CONSTRAINT "operator_log_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "operator_log_values" (
    "number" BIGINT NOT NULL,
    "account_id" UUID NOT NULL,
    "salt" BYTEA NOT NULL,
    "personal" TEXT NOT NULL,

    CONSTRAINT "operator_log_values_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE INDEX "operator_log_target_id_number_idx" ON "operator_log"("target_id", "number");

-- CreateIndex
CREATE INDEX "operator_log_values_account_id_idx" ON "operator_log_values"("account_id");

CREATE FUNCTION "operator_log_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: lines of the operator log never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "operator_log_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "operator_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "operator_log_refuse_change"();
