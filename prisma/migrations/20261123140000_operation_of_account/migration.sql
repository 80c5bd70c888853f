-- The term of an operation contains the account (see search-terms.ts). One statement that locks only
-- the rows it changes, so that jobs are accepted and searched meanwhile.
UPDATE "generation_search" SET "terms" =
    ts_delete("terms", 'operation:' || left(encode(sha256(convert_to("operation"::text, 'UTF8')), 'hex'), 32))
    || array_to_tsvector(ARRAY['operation:' || left(encode(sha256(convert_to(
         "generation"."account_id" || E'\n' || "operation", 'UTF8')), 'hex'), 32)])
  FROM "generation"
 WHERE "generation"."id" = "generation_id" AND "generation"."account_id" = "generation_search"."account_id";
