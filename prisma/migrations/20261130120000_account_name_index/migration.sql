-- Operators find accounts by the beginnings of words of their names.
CREATE INDEX CONCURRENTLY "account_name_idx" ON "account" USING GIN (to_tsvector('simple', "name"));
