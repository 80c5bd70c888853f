-- Each table becomes the first partition of a new table with its name. Only the catalogue changes: no row is
-- read or written, and no index is built. Statements of the previous version run on the new tables.
DO $$
DECLARE
  partitioned record;
  index record;
  foreign_key record;
  privilege record;
  bound text;
  first text;
  rest text;
BEGIN
  LOCK TABLE generation, generation_search, render, image, provider_call, moderation_decision
    IN ACCESS EXCLUSIVE MODE;
  FOR partitioned IN
    SELECT name, key, name::regclass AS table_id, local_indexes
      FROM (VALUES
        -- Unique indexes without the key are possible within a partition only.
        ('generation', 'id', '{generation_batch_line_key}'::text[]),
        ('generation_search', 'generation_id', '{}'),
        ('render', 'id', '{render_generation_id_position_key}'),
        ('image', 'render_id', '{}'),
        ('provider_call', 'id', '{provider_call_render_id_attempt_key}'),
        ('moderation_decision', 'render_id', '{moderation_decision_pkey}')) AS keys (name, key, local_indexes)
  LOOP
    first := partitioned.name || '_first';
    rest := partitioned.name || '_rest';
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''') INTO STRICT bound
      FROM pg_constraint WHERE conrelid = partitioned.table_id AND conname = first;

    -- The table that takes the rows whose month has no partition, and the pattern of new partitions.
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', rest, partitioned.name);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', rest, first);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', partitioned.name, first);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)',
                   partitioned.name, rest, partitioned.key);

    FOR index IN
      SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, pg_constraint.oid AS constraint_id,
             pg_get_constraintdef(pg_constraint.oid) AS key
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = indrelid
       WHERE indrelid = partitioned.table_id AND relname <> ALL (partitioned.local_indexes)
    LOOP
      -- The previous version knows a repeated insert by the name of this constraint.
      IF index.name = 'generation_pkey' THEN
        EXECUTE 'ALTER TABLE generation ADD CONSTRAINT generation_id_pkey PRIMARY KEY (id)';
        CONTINUE;
      END IF;
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, index.name || '_first');
      IF index.constraint_id IS NOT NULL THEN
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', partitioned.name, index.name, index.key);
      ELSE
        EXECUTE replace(index.definition, format('.%I ', first), format('.%I ', partitioned.name));
      END IF;
    END LOOP;

    FOR foreign_key IN
      SELECT conname AS name, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint WHERE conrelid = partitioned.table_id AND contype = 'f'
    LOOP
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', partitioned.name, foreign_key.name, foreign_key.definition);
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', rest, foreign_key.name, foreign_key.definition);
    END LOOP;

    FOR privilege IN
      SELECT privilege_type AS type,
             CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS grantee
        FROM pg_class, aclexplode(relacl) WHERE oid = partitioned.table_id AND grantee <> relowner
    LOOP
      EXECUTE format('GRANT %s ON %I TO %s', privilege.type, partitioned.name, privilege.grantee);
    END LOOP;

    IF partitioned.name = 'generation' THEN
      DROP TRIGGER generation_counted_in_batch ON generation_first;
      CREATE TRIGGER generation_counted_in_batch AFTER UPDATE OF status ON generation FOR EACH ROW
        WHEN (NEW.batch_id IS NOT NULL AND OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)
        EXECUTE FUNCTION count_job_of_batch();
    END IF;

    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                   partitioned.name, first, bound);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', partitioned.name, rest);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', first, first);
  END LOOP;
END $$;
