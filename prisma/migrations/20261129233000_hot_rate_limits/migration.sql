-- Its column changes with every request, so no update was heap-only. The table has a few rows for each key,
-- which the hourly deletion reads.
DROP INDEX "rate_limit_theoretical_arrival_at_idx";
