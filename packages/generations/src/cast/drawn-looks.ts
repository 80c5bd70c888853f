import { newId, type Sql } from "@atelier/database";
import { keptKey } from "@atelier/schemas";
import type { FileToKeep } from "../library/reserve.ts";

/**
 * Locks the images of a character or location that a completed job has drawn, and names in each look the file
 * that it is to be kept as.
 *
 * @returns the files; none when an image of a look has been deleted.
 */
export async function lockDrawnLooks(
  sql: Sql,
  memberId: string,
  generationId: string,
): Promise<FileToKeep[]> {
  const looks = await sql.query<Look & { readonly image: LookImage }>(
    `SELECT look->>'state' AS state, look->>'description' AS description,
            json_build_object('format', format, 'sourceKey', storage_key, 'sha256', sha256,
                              'sizeBytes', image.size_bytes, 'width', width, 'height', height) AS image
       FROM cast_member, jsonb_array_elements(looks) WITH ORDINALITY AS listed (look, place)
       JOIN render ON generation_id = $2 AND role IN ('portrait', 'state', 'location')
        AND spec->>'state' IS NOT DISTINCT FROM look->>'state'
       JOIN image ON render_id = render.id AND format = 'png' AND deleted_at IS NULL
      WHERE cast_member.id = $1 ORDER BY place FOR SHARE OF image`,
    [memberId, generationId],
  );
  const kept = looks.map(({ image, ...look }) => ({
    look,
    file: { ...image, renderId: null, storageKey: keptKey(memberId, newId(), image.format) },
  }));
  const named = kept.map(({ look, file }) => ({ ...look, storageKey: file.storageKey }));
  const updated = await sql.query(
    `UPDATE cast_member SET looks = $2::jsonb
      WHERE id = $1 AND jsonb_array_length(looks) = jsonb_array_length($2::jsonb) RETURNING id`,
    [memberId, JSON.stringify(named)],
  );
  return updated.length === 0 ? [] : kept.map(({ file }) => file);
}

interface Look {
  readonly state: string | null;
  readonly description: string;
}

type LookImage = Omit<FileToKeep, "renderId" | "storageKey" | "format"> & {
  readonly format: "png";
};
