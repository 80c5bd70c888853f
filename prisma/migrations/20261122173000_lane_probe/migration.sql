-- Apart from the pause: a probe that is lost must not hold up the next one for long, and one that fails
-- must not lengthen or shorten the pause.
-- AlterTable
ALTER TABLE "lane_health" ADD COLUMN "probe_until" TIMESTAMPTZ(6);
