-- Manifests are requested by their id. Rows of earlier versions have none.
CREATE INDEX CONCURRENTLY "mark_file_manifest_id_idx" ON "mark_file" ("manifest_id");
