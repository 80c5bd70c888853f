-- The next image of a batch in a lane, account by account.
CREATE INDEX CONCURRENTLY "render_batch_place_idx" ON "render" ("lane", "place_account_id", "id") WHERE "place_account_id" IS NOT NULL;
