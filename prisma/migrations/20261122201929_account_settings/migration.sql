-- Settings of an account's owner: null stands for the operator's retention, and for no alert.
ALTER TABLE "account"
  ADD COLUMN "retention_hours" INTEGER,
  ADD COLUMN "low_balance_micro_eur" BIGINT;

ALTER TABLE "account"
  ADD CONSTRAINT "account_retention_positive" CHECK ("retention_hours" > 0),
  ADD CONSTRAINT "account_low_balance_not_negative" CHECK ("low_balance_micro_eur" >= 0);

-- As small as the accounts that the sweep looks at one by one.
CREATE INDEX "account_retention_idx" ON "account" ("id") WHERE "retention_hours" IS NOT NULL;
