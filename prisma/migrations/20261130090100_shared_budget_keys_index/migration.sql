-- The keys of a shared budget, which are counted with each list of budgets.
CREATE INDEX CONCURRENTLY "api_key_budget_id_idx" ON "api_key" ("budget_id") WHERE "budget_id" IS NOT NULL AND "revoked_at" IS NULL;
