-- What a statement of an account goes by.
CREATE INDEX "ledger_transfer_account_id_id_idx" ON "ledger_transfer"("account_id", "id");

-- Nothing asks for what these two order, and every image wrote to them five times.
DROP INDEX "ledger_entry_account_id_book_idx";
DROP INDEX "hold_account_id_idx";
