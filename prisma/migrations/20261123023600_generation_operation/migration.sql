-- The operation that a job was requested with.
-- CreateEnum
CREATE TYPE "generation_operation" AS ENUM ('image', 'story', 'scene', 'edit', 'combine', 'graphic', 'diagram');

-- AlterTable
ALTER TABLE "generation" ADD COLUMN     "operation" "generation_operation" NOT NULL DEFAULT 'image';

-- The render of an operation names it. A scene is known by the fields that only its request has; a scene
-- without them, and one whose request was removed, count as images.
UPDATE "generation" SET "operation" = found.operation
  FROM (
    SELECT job."id", (CASE
             WHEN job."kind" = 'story' THEN 'story'
             WHEN render."spec"->'task'->>'kind' IS NOT NULL THEN render."spec"->'task'->>'kind'
             WHEN job."request" ?| ARRAY['raw_prompts', 'characters', 'location', 'setting'] THEN 'scene'
             ELSE 'image' END)::"generation_operation" AS operation
      FROM "generation" AS job JOIN "render" ON "generation_id" = job."id" AND "position" = 0
  ) AS found
 WHERE found."id" = "generation"."id" AND found.operation <> 'image';

-- Searches find the operation as they find the model; without its index, the update takes less time.
DROP INDEX "generation_search_terms_idx";

UPDATE "generation_search" SET "terms" = "terms"
    || array_to_tsvector(ARRAY['operation:' || left(encode(sha256(convert_to("operation"::text, 'UTF8')), 'hex'), 32)])
  FROM "generation"
 WHERE "generation"."id" = "generation_id" AND "generation"."account_id" = "generation_search"."account_id";

CREATE INDEX "generation_search_terms_idx" ON "generation_search" USING GIN ("terms")
  WITH (gin_pending_list_limit = 256);
