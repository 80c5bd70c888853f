-- Expand: the job of a refund is not in its transfer, whose job older versions expect to have one settle or release.
-- CreateTable
CREATE TABLE "refund" (
    "transfer_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "amount_micro_eur" BIGINT NOT NULL,
    "key_id" UUID,
    "model" TEXT NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("transfer_id")
);

-- CreateIndex
CREATE INDEX "refund_account_id_created_at_idx" ON "refund"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "refund_generation_id_idx" ON "refund"("generation_id");

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "refund" ADD CONSTRAINT "refund_positive" CHECK ("amount_micro_eur" > 0);
CREATE TRIGGER "refund_unchangeable" BEFORE UPDATE OR DELETE OR TRUNCATE ON "refund"
  FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_change"();
