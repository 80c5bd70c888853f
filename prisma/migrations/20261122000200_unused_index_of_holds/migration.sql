-- As for entries.
DROP INDEX "hold_account_id_idx";
