import type { Sql } from "@atelier/database";

/** An attempt at a render, which is part of the key of its dossier. */
export interface RenderAttempt {
  readonly renderId: string;
  readonly attempt: number;
}

/**
 * Records that renders have no dossier any more, before it is deleted.
 *
 * @returns those of the renders that this database knows.
 */
export async function forgetDossiers(
  sql: Sql,
  renderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await sql.query<{ id: string }>(
    `WITH forgotten AS (
       UPDATE mark SET dossier_attempt = NULL
        WHERE render_id = ANY ($1) AND dossier_attempt IS NOT NULL
     )
     -- Renders of archived jobs are in the registry only.
     SELECT id FROM render WHERE id = ANY ($1) UNION SELECT render_id FROM mark WHERE render_id = ANY ($1)`,
    [renderIds],
  );
  return new Set(known.map(({ id }) => id));
}

/** The last attempt at each render. */
export function listAttempts(sql: Sql, renderIds: readonly string[]): Promise<RenderAttempt[]> {
  return sql.query<RenderAttempt>(
    `SELECT id AS "renderId", attempt FROM render WHERE id = ANY ($1) AND attempt > 0`,
    [renderIds],
  );
}

/** @returns the attempt that stored the dossier of an image; null without one. */
export async function findDossierAttempt(sql: Sql, renderId: string): Promise<number | null> {
  const [found] = await sql.query<{ attempt: number | null }>(
    "SELECT dossier_attempt AS attempt FROM mark WHERE render_id = $1",
    [renderId],
  );
  return found?.attempt ?? null;
}

/**
 * Finds the dossier that contains a manifest.
 *
 * @param manifestId the UUID of the manifest.
 * @returns null for an unknown manifest, and for one whose dossier is no longer kept.
 */
export async function findDossier(sql: Sql, manifestId: string): Promise<RenderAttempt | null> {
  const [found] = await sql.query<RenderAttempt>(
    `SELECT mark.render_id AS "renderId", dossier_attempt AS attempt
       FROM mark_file JOIN mark ON mark.render_id = mark_file.render_id
      WHERE manifest_id = $1 AND dossier_attempt IS NOT NULL
      LIMIT 1`,
    [manifestId],
  );
  return found ?? null;
}

/** The index finds hashes with all slices; the order of slices is compared afterwards. */
function hasFingerprint(table: string): string {
  return `hash_slices(${table}.perceptual_hash) @> hash_slices(('x' || $1)::bit(256))
    AND ${table}.perceptual_hash = ('x' || $1)::bit(256)`;
}

/** Selects the manifests of an image, of all images with a watermark, or of the only one with a fingerprint. */
export interface ManifestOwner {
  readonly by: "render" | "watermark" | "fingerprint";
  /** A UUID, or hexadecimal digits. */
  readonly value: string;
}

const owners: Readonly<Record<ManifestOwner["by"], string>> = {
  render: "mark.render_id = $1::uuid",
  watermark: "watermark_id = $1",
  // Two images with the same fingerprint, such as two invoices, may differ in what matters.
  fingerprint: `${hasFingerprint("mark")}
    AND (SELECT count(*) FROM mark same WHERE ${hasFingerprint("same")}) = 1`,
};

/**
 * Lists the UUIDs of manifests that are kept: the newest images first, of each its PNG first.
 *
 * @returns at most `limit`.
 */
export async function listManifests(
  sql: Sql,
  { by, value }: ManifestOwner,
  limit: number,
): Promise<string[]> {
  const found = await sql.query<{ id: string }>(
    `SELECT manifest_id AS id FROM mark JOIN mark_file ON mark_file.render_id = mark.render_id
      WHERE ${owners[by]} AND manifest_id IS NOT NULL AND dossier_attempt IS NOT NULL
      ORDER BY mark.render_id DESC, format LIMIT $2`,
    [value, limit],
  );
  return found.map(({ id }) => id);
}
