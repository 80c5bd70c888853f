import type { Sql } from "@atelier/database";
import type { JobStatus } from "@atelier/schemas";
import { keptCopy } from "../library/kept-copy.ts";

/** A file that a story named as the reference of a character, state or location. */
export interface SuppliedReference {
  readonly uploadId: string | null;
  readonly jobId: string | null;
  /** With `jobId`: which of its images, from 0. */
  readonly image: number;
  /** With `jobId` of a story: the character, and its state, or the location that the image shows. */
  readonly portrait: string | null;
  readonly state: string | null;
  readonly location: string | null;
  /** The kept character, with its `state`, or the kept location that the image shows. */
  readonly characterId: string | null;
  readonly locationId: string | null;
  readonly storageKey: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Adds the uploads and images that completed stories used as references and that still exist. They have a
 * statement of their own: its plan costs more than a read of an image, which has none.
 */
export async function withSupplied<
  Found extends { readonly id: string; readonly kind: string; readonly status: JobStatus },
>(
  sql: Sql,
  generations: readonly Found[],
): Promise<(Found & { readonly suppliedReferences: readonly SuppliedReference[] })[]> {
  const stories = generations.filter(
    ({ kind, status }) => kind === "story" && status === "completed",
  );
  const supplied =
    stories.length === 0
      ? []
      : await findSupplied(
          sql,
          stories.map(({ id }) => id),
        );
  return generations.map((found) => ({
    ...found,
    suppliedReferences: supplied.filter(({ storyId }) => storyId === found.id),
  }));
}

async function findSupplied(
  sql: Sql,
  storyIds: readonly string[],
): Promise<(SuppliedReference & { readonly storyId: string })[]> {
  return sql.query(
    `SELECT g.id AS "storyId", source->>'upload_id' AS "uploadId", source->>'job_id' AS "jobId",
            coalesce((source->>'image')::int, 0) AS image, source->>'portrait' AS portrait,
            source->>'state' AS state, source->>'location' AS location,
            source->>'character_id' AS "characterId", source->>'location_id' AS "locationId",
            file.storage_key AS "storageKey", file.width, file.height
       FROM generation g
       CROSS JOIN LATERAL (SELECT DISTINCT jsonb_array_elements(
                jsonb_path_query_array(request, '$.characters[*].reference')
                || jsonb_path_query_array(request, '$.characters[*].states.*.reference')
                || jsonb_path_query_array(request, '$.locations[*].reference')) AS source) AS named
        JOIN LATERAL (
          SELECT u.storage_key, u.width, u.height FROM upload u
           WHERE u.id = (source->>'upload_id')::uuid AND u.account_id = g.account_id
             AND u.storage_key IS NOT NULL AND u.deleted_at IS NULL AND u.expires_at > now()
          UNION ALL
          SELECT coalesce(kept.storage_key, i.storage_key), i.width, i.height FROM generation j
            JOIN LATERAL (
              SELECT id FROM render WHERE generation_id = j.id AND CASE
                WHEN source ? 'portrait' THEN role IN ('portrait', 'state')
                  AND spec->>'name' = source->>'portrait'
                  AND spec->>'state' IS NOT DISTINCT FROM source->>'state'
                WHEN source ? 'location' THEN role = 'location' AND spec->>'name' = source->>'location'
                ELSE role IN ('image', 'scene') END
               ORDER BY position OFFSET coalesce((source->>'image')::int, 0) LIMIT 1) AS r ON true
            JOIN image i ON i.render_id = r.id AND i.format = 'png' ${keptCopy("i")}
           WHERE (i.deleted_at IS NULL OR kept.storage_key IS NOT NULL) AND j.id = (source->>'job_id')::uuid AND j.account_id = g.account_id
             AND j.status = 'completed'
          UNION ALL
          SELECT coalesce(kept.source_key, kept.storage_key), kept.width, kept.height
            FROM cast_member, jsonb_array_elements(looks) AS look
            JOIN kept_file AS kept ON kept.storage_key = look->>'storageKey' AND kept.deleted_at IS NULL
           WHERE cast_member.id = coalesce(source->>'character_id', source->>'location_id')::uuid
             AND cast_member.account_id = g.account_id
             AND look->>'state' IS NOT DISTINCT FROM source->>'state'
             AND (NOT look ? 'since' OR (look->>'since')::timestamptz <= g.created_at)
        ) AS file ON true
      WHERE g.id = ANY ($1)`,
    [storyIds],
  );
}
