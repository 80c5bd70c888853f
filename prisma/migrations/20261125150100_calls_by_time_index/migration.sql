-- For the report of costs, which reads the calls of some days.
CREATE INDEX CONCURRENTLY "provider_call_started_at_idx" ON "provider_call"("started_at");
