-- CreateIndex
CREATE UNIQUE INDEX CONCURRENTLY "account_external_id_key" ON "account"("external_id");
