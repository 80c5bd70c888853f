-- What a statement of an account goes by.
CREATE INDEX "ledger_transfer_account_id_id_idx" ON "ledger_transfer"("account_id", "id");
