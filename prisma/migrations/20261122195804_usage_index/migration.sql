-- For usage (the ends of an account's jobs in a time range) and for its list of transactions. Holds
-- appear in neither.
CREATE INDEX "ledger_transfer_account_id_kind_created_at_id_idx"
    ON "ledger_transfer" ("account_id", "kind", "created_at", "id") WHERE "kind" <> 'hold';
