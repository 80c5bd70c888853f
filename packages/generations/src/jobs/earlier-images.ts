import { statement, type Sql } from "@atelier/database";
import type { StorySubject } from "@atelier/schemas";
import type { Claim } from "../claims/claim.ts";
import type { Owner } from "./find.ts";
import { keptCopy } from "../library/kept-copy.ts";

/** Storage key of the PNG of a finished render of the same generation; null if none exists. */
export async function findImageKey(
  sql: Sql,
  generationId: string,
  position: number,
): Promise<string | null> {
  const [image] = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM render JOIN image ON render_id = render.id
      WHERE generation_id = $1 AND position = $2 AND format = 'png' AND deleted_at IS NULL`,
    [generationId, position],
  );
  return image?.key ?? null;
}

/** Id of the render at a position of a generation's plan; null if none exists. */
export async function findRenderId(
  sql: Sql,
  generationId: string,
  position: number,
): Promise<string | null> {
  const [render] = await sql.query<{ id: string }>(
    "SELECT id FROM render WHERE generation_id = $1 AND position = $2",
    [generationId, position],
  );
  return render?.id ?? null;
}

/** A finished scene of a story. */
export interface FinishedScene {
  readonly renderId: string;
  /** The attempt that finished it. */
  readonly attempt: number;
  /** The provider's state, if a version up to 0.1 finished the scene; later ones store it as a file. */
  readonly turn: unknown;
}

/** The scene before the claimed one; null for the first scene, and for renders that are no scenes. */
export async function findPreviousScene(sql: Sql, claim: Claim): Promise<FinishedScene | null> {
  if (claim.role !== "scene") return null;
  const [previous] = await sql.query<FinishedScene>(
    `SELECT id AS "renderId", attempt, turn FROM render
      WHERE generation_id = $1 AND role = 'scene' AND position < $2 AND status = 'done'
      ORDER BY position DESC LIMIT 1`,
    [claim.generationId, claim.position],
  );
  return previous ?? null;
}

/**
 * Storage key of the PNG of an image or scene of a completed generation, or of a portrait or location that
 * a story made. Null when it does not exist.
 *
 * @param target.image index in its images or scenes, from 0.
 */
export async function findResultKey(
  sql: Sql,
  target: Owner & {
    readonly generationId: string;
    readonly image: number;
    readonly subject?: StorySubject | null;
  },
): Promise<string | null> {
  const { accountId, keyId = null, mode = null, generationId, image, subject = null } = target;
  const [found] = await sql.query<{ key: string | null }>(
    ...resultKey.bind({
      accountId,
      keyId,
      mode,
      generationId,
      image,
      role: subject?.role ?? null,
      name: subject?.name ?? null,
      state: subject?.state ?? null,
    }),
  );
  return found?.key ?? null;
}

const resultKey = statement(
  ["accountId", "keyId", "mode", "generationId", "image", "role", "name", "state"],
  `SELECT (SELECT coalesce(kept.storage_key, image.storage_key) FROM image ${keptCopy("image")}
            WHERE image.render_id = render.id AND image.format = 'png'
              AND (image.deleted_at IS NULL OR kept.storage_key IS NOT NULL)) AS key
     FROM generation JOIN render ON generation_id = generation.id
    WHERE generation.id = :generationId AND account_id = :accountId
      AND (:keyId::uuid IS NULL OR key_id = :keyId)
      AND (:mode::key_mode IS NULL OR mode = :mode) AND generation.status = 'completed'
      AND CASE WHEN :role::render_role IS NULL THEN role IN ('image', 'scene')
               ELSE role = :role AND spec->>'name' = :name::text
                    AND spec->>'state' IS NOT DISTINCT FROM :state::text END
    ORDER BY position OFFSET :image LIMIT 1`,
);
