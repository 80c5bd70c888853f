import type { Sql } from "@atelier/database";
import type { Claim } from "./claim.ts";

/** Where the PNG of a finished render of the same generation is stored; null when it is not. */
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

/** The render of a generation at a position of its plan; null when there is none. */
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

/** The provider's state after the scene before this one; null for all but later scenes of a story. */
export async function findPreviousTurn(sql: Sql, claim: Claim): Promise<unknown> {
  if (claim.role !== "scene") return null;
  const [previous] = await sql.query<{ turn: unknown }>(
    `SELECT turn FROM render WHERE generation_id = $1 AND role = 'scene' AND position < $2
      ORDER BY position DESC LIMIT 1`,
    [claim.generationId, claim.position],
  );
  return previous?.turn ?? null;
}
