-- Expand: jobs of OpenAI-compatible requests, which a repeated request joins. Null for all earlier jobs.
ALTER TABLE "generation" ADD COLUMN "answer_hash" BYTEA, ADD COLUMN "answer_to" UUID;
