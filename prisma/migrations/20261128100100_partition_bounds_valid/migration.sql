-- Scans each table without a lock that blocks reads or writes, so that attaching it does not scan it.
ALTER TABLE "generation" VALIDATE CONSTRAINT "generation_first";
ALTER TABLE "generation_search" VALIDATE CONSTRAINT "generation_search_first";
ALTER TABLE "render" VALIDATE CONSTRAINT "render_first";
ALTER TABLE "image" VALIDATE CONSTRAINT "image_first";
ALTER TABLE "provider_call" VALIDATE CONSTRAINT "provider_call_first";
ALTER TABLE "moderation_decision" VALIDATE CONSTRAINT "moderation_decision_first";
