import type { Sql } from "@atelier/database";
import { keptCopy } from "./kept-copy.ts";
import { endOfShare } from "./shares.ts";

/** A file of an image on a shared page. */
interface SharedFile {
  readonly storageKey: string;
  readonly width: number;
  readonly height: number;
}

/** An image on a shared page. */
export interface SharedImage {
  readonly full: SharedFile & { readonly format: "png" | "svg" };
  readonly thumbnail: SharedFile | null;
}

/** The content of a shared page, which anyone who has the link may see. It has no text of a request. */
export interface SharedPage {
  readonly endsAt: Date;
  readonly images: readonly SharedImage[];
}

/**
 * Finds what a link shows; null for one that is unknown or has ended, and when its images are deleted. An unknown
 * link costs one probe of an index.
 *
 * @param link.retentionMs the operator's retention of images, in milliseconds.
 */
export async function findShared(
  sql: Sql,
  { hash, retentionMs }: { readonly hash: Buffer; readonly retentionMs: number },
): Promise<SharedPage | null> {
  const [found] = await sql.query<{ endsAt: Date; images: StoredImages }>(
    `SELECT "endsAt", (
        SELECT coalesce(json_agg(files ORDER BY position), '[]') FROM (
          SELECT position, row_number() OVER (ORDER BY position) - 1 AS index, (
              SELECT json_object_agg(image.format, json_build_object(
                  'storageKey', coalesce(kept.storage_key, image.storage_key),
                  'width', image.width, 'height', image.height))
                FROM image ${keptCopy("image")}
               WHERE image.render_id = render.id AND image.format IN ('png', 'svg', 'thumbnail')
                 AND (image.deleted_at IS NULL OR kept.storage_key IS NOT NULL)) AS files
            FROM render WHERE generation_id = shown.generation_id AND role IN ('image', 'scene')
        ) AS made WHERE shown.image IS NULL OR shown.image = index) AS images
       FROM (SELECT share.*, ${endOfShare(retentionMs)} AS "endsAt" FROM share WHERE hash = $1) AS shown
      WHERE "endsAt" > now()`,
    [hash],
  );
  if (found === undefined) return null;
  const images = found.images.flatMap(presentImage);
  return images.length === 0 ? null : { endsAt: found.endsAt, images };
}

type StoredImages = readonly (Readonly<
  Partial<Record<"png" | "svg" | "thumbnail", SharedFile>>
> | null)[];

function presentImage(files: StoredImages[number]): SharedImage[] {
  const { png, svg, thumbnail = null } = files ?? {};
  if (svg !== undefined) return [{ full: { ...svg, format: "svg" }, thumbnail }];
  return png === undefined ? [] : [{ full: { ...png, format: "png" }, thumbnail }];
}
