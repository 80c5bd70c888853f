import type { Sql } from "@atelier/database";
import { dossierKey, type DeliveredFormat, type SyntheticSource } from "@atelier/schemas";
import { findDossierAttempt } from "../retention/dossiers.ts";

/** Public data of an image that was made here: no account, no prompt, no job. `@atelier/provenance`, which imports no database, declares its own. */
export interface RegisteredImage {
  readonly renderId: string;
  readonly model: string;
  readonly createdAt: Date;
  readonly formats: readonly DeliveredFormat[];
  /** How the image was made; null for records of earlier versions. */
  readonly synthetic: SyntheticSource | null;
}

/** A similar image, with the number of bits (of 256) in which its perceptual hash differs. */
export interface SimilarImage extends RegisteredImage {
  readonly distance: number;
}

/**
 * Maximum distance in bits between the perceptual hashes of an image and its copies. Above it, the
 * index of slices would miss some (see `hash_slices` in the baseline migration), and unrelated images start to match.
 */
const maxHashDistance = 15;

const columns = `
  render_id AS "renderId", model, created_at AS "createdAt", synthetic,
  (SELECT coalesce(array_agg(format::text ORDER BY format), '{}') FROM mark_file AS file
    WHERE file.render_id = mark.render_id AND format <> 'thumbnail') AS formats`;

/** @param sha256 of a file, in lower-case hexadecimal. */
export async function findByFileHash(sql: Sql, sha256: string): Promise<RegisteredImage | null> {
  const [found] = await sql.query<RegisteredImage>(
    `SELECT ${columns} FROM mark
      WHERE render_id = (SELECT render_id FROM mark_file WHERE sha256 = $1)`,
    [sha256],
  );
  return found ?? null;
}

/** An image whose perceptual hash was compared; the distance is null if one of both has none. */
export interface ComparedImage extends RegisteredImage {
  readonly distance: number | null;
}

/**
 * @param watermarkId 16 hexadecimal digits.
 * @param perceptualHash of the image in question, 64 hexadecimal digits; null if it is unknown.
 */
export async function findByWatermark(
  sql: Sql,
  watermarkId: string,
  perceptualHash: string | null,
): Promise<ComparedImage | null> {
  const [found] = await sql.query<ComparedImage>(
    `SELECT ${columns}, bit_count(perceptual_hash # ('x' || $2::text)::bit(256))::int AS distance
       FROM mark WHERE watermark_id = $1`,
    [watermarkId, perceptualHash],
  );
  return found ?? null;
}

/**
 * Finds the most similar image within `maxHashDistance`.
 *
 * @param perceptualHash 64 hexadecimal digits.
 */
export async function findByPerceptualHash(
  sql: Sql,
  perceptualHash: string,
): Promise<SimilarImage | null> {
  const [found] = await sql.query<SimilarImage>(
    `WITH sought AS (SELECT ('x' || $1)::bit(256) AS hash)
     SELECT ${columns}, bit_count(perceptual_hash # hash)::int AS distance
       FROM mark, sought
      WHERE hash_slices(perceptual_hash) && hash_slices(hash)
        AND bit_count(perceptual_hash # hash) <= $2
      ORDER BY distance, created_at LIMIT 1`,
    [perceptualHash, maxHashDistance],
  );
  return found ?? null;
}

/**
 * Registers images that are older than the registry, by the hashes of their files.
 *
 * @returns the number of registered images; call it again until it returns 0.
 */
export async function registerOlderImages(sql: Sql, batch: number): Promise<number> {
  const [done] = await sql.query<{ count: number }>(
    `WITH older AS (
       SELECT id, model, finished_at FROM render
        WHERE status = 'done' AND NOT EXISTS (SELECT FROM mark WHERE render_id = render.id)
        ORDER BY id LIMIT $1
     ), hashed AS (
       INSERT INTO mark_file (sha256, render_id, format)
       SELECT sha256, render_id, format FROM image JOIN older ON older.id = render_id
       ON CONFLICT DO NOTHING
     ), registered AS (
       INSERT INTO mark (render_id, model, created_at)
       SELECT id, model, coalesce(finished_at, now()) FROM older
       ON CONFLICT DO NOTHING RETURNING render_id
     )
     SELECT count(*)::int AS count FROM registered`,
    [batch],
  );
  return done?.count ?? 0;
}

/** A registered image without a perceptual hash whose PNG is still stored. */
export interface ImageWithoutHash {
  readonly renderId: string;
  readonly storageKey: string;
}

/** @param after the last render id of the previous page. */
export async function listWithoutHash(
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<ImageWithoutHash[]> {
  return sql.query<ImageWithoutHash>(
    `SELECT mark.render_id AS "renderId", storage_key AS "storageKey"
       FROM mark JOIN image ON image.render_id = mark.render_id AND format = 'png'
      WHERE perceptual_hash IS NULL AND deleted_at IS NULL
        AND ($1::uuid IS NULL OR mark.render_id > $1)
      ORDER BY mark.render_id LIMIT $2`,
    [after, limit],
  );
}

export async function setPerceptualHash(
  sql: Sql,
  renderId: string,
  perceptualHash: string,
): Promise<void> {
  await sql.query(
    "UPDATE mark SET perceptual_hash = ('x' || $2)::bit(256) WHERE render_id = $1 AND perceptual_hash IS NULL",
    [renderId, perceptualHash],
  );
}

/** Lookups for public verification and the command line. */
export interface Registry {
  findByFileHash(sha256: string): Promise<RegisteredImage | null>;
  findByWatermark(
    watermarkId: string,
    perceptualHash: string | null,
  ): Promise<ComparedImage | null>;
  findByPerceptualHash(perceptualHash: string): Promise<SimilarImage | null>;
  /** The encoded dossier of an image; null if none is kept. */
  readDossier(renderId: string): Promise<Uint8Array | null>;
}

/** The operation of a storage that the registry needs. */
interface DossierStorage {
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
}

/**
 * Returns the lookups of the registry in a database.
 *
 * @param storage null if it is not at hand: no dossier is found.
 */
export function openRegistry(sql: Sql, storage: DossierStorage | null): Registry {
  return {
    findByFileHash: (sha256) => findByFileHash(sql, sha256),
    findByWatermark: (id, perceptualHash) => findByWatermark(sql, id, perceptualHash),
    findByPerceptualHash: (perceptualHash) => findByPerceptualHash(sql, perceptualHash),
    async readDossier(renderId) {
      if (storage === null) return null;
      const attempt = await findDossierAttempt(sql, renderId);
      if (attempt === null) return null;
      return (await storage.get(dossierKey({ renderId, attempt })))?.bytes ?? null;
    },
  };
}
