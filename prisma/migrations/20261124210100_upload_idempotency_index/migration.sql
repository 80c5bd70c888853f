-- One upload for each Idempotency-Key of an account; most uploads have none.
CREATE UNIQUE INDEX CONCURRENTLY "upload_account_id_idempotency_key_key" ON "upload" ("account_id", "idempotency_key");
