-- What jobs are found by: words of the prompt, model and metadata (see search-terms.ts). A table of its
-- own, because a row of "generation" changes with every status, and each change would write the GIN
-- index again.
-- CreateTable
CREATE TABLE "generation_search" (
    "account_id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "generation_search_pkey" PRIMARY KEY ("account_id","generation_id")
);

-- New terms wait in a list, which the request that fills it moves into the index: a short list, so that
-- no request takes long.
-- CreateIndex
CREATE INDEX "generation_search_terms_idx" ON "generation_search" USING GIN ("terms")
  WITH (gin_pending_list_limit = 256);

-- Jobs from before have no metadata.
INSERT INTO "generation_search" ("account_id", "generation_id", "terms")
SELECT "account_id", "id",
       to_tsvector('simple', left(concat_ws(' ', "title", "request"->>'prompt', "request"->>'setting',
         (SELECT string_agg(scene->>'prompt', ' ' ORDER BY place)
            FROM jsonb_array_elements("request"->'scenes') WITH ORDINALITY AS scenes (scene, place))), 4000))
         || array_to_tsvector(ARRAY['model:' || left(encode(sha256(convert_to("model", 'UTF8')), 'hex'), 32)])
  FROM "generation";
