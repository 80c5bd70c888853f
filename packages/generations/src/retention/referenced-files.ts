import { statement, type Sql } from "@atelier/database";
import {
  filePrefixes,
  keptPrefix,
  archivePrefix,
  dossierPrefix,
  uploadPrefix,
} from "@atelier/schemas";

/** Prefixes of files that rows refer to. */
const prefixes = [
  ...Object.values(filePrefixes),
  uploadPrefix,
  keptPrefix,
  archivePrefix,
  dossierPrefix,
];

/**
 * Finds the files that a database refers to. A backup copies files before and after its database, so it may have
 * files of an account that was erased, or of jobs that were archived, in between.
 *
 * @returns the keys that rows refer to, and all keys under other prefixes.
 */
export async function findReferencedFiles(
  sql: Sql,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  const referenced = await sql.query<{ key: string }>(...referencedFiles.bind({ keys: own }));
  const isOwn = new Set(own);
  return new Set([...keys.filter((key) => !isOwn.has(key)), ...referenced.map(({ key }) => key)]);
}

/** SQL: the id in a key, such as that of the render. */
const idOfKey = `substring(key from '^[a-z]+/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/')::uuid`;

/** Any file of an unfinished job may still be needed. */
const referencedFiles = statement(
  ["keys"],
  `WITH file AS (SELECT key, ${idOfKey} AS id FROM unnest(:keys::text[]) AS key)
   SELECT key FROM file JOIN image ON render_id = id AND storage_key = key AND removed_at IS NULL
   UNION SELECT key FROM file JOIN render ON render.id = file.id JOIN generation ON generation.id = generation_id
          WHERE completed_at IS NULL
   UNION SELECT key FROM file JOIN mark ON render_id = id AND key = '${dossierPrefix}' || id || '/' || dossier_attempt || '.zst'
   UNION SELECT key FROM file JOIN upload ON upload.id = file.id AND storage_key = key
   UNION SELECT key FROM file JOIN kept_file ON storage_key = key
   UNION SELECT key FROM file JOIN archive_part ON key IN (storage_key, pending_key)`,
);
