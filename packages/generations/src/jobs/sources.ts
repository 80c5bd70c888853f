import type { Sql } from "@atelier/database";

/** The image of a job that another job changes. */
export interface ChangedImage {
  readonly jobId: string;
  /** Its position in the result, from 0. */
  readonly image: number;
}

/**
 * A changed image with the first characters of its title or prompt. The text is null for an image without one, for
 * a job that the reader may not read, and when no texts are read.
 */
export interface FoundSource extends ChangedImage {
  readonly text: string | null;
}

/** SQL for the position of the image that a request changes. */
const imageOf = (request: string) => `coalesce((${request}->'image'->>'image')::int, 0)`;

/** SQL column: the image of a job that the request of a generation changes; null for other requests. */
export const sourceColumn = `
  CASE WHEN request->'image' ? 'job_id' THEN json_build_object(
    'jobId', request->'image'->>'job_id', 'image', ${imageOf("request")})
  END AS changed`;

/** Who reads the texts: a key that reads its own jobs only, or without one any key that reads all of the account. */
interface Reader {
  readonly keyId?: string | null | undefined;
}

/** Characters of a text that a list shows. */
const textLength = 200;

/** Images that are searched for a text, one after another: a request of a tool has none, and may change the result of another tool. */
const mostSteps = 8;

/**
 * Reads the texts of the images that generations changed: the title that the account gave, or the prompt. Nothing
 * is read when no image of a job was changed.
 *
 * @param reader null to read no texts.
 */
export async function readSources(
  sql: Sql,
  rows: readonly { readonly id: string; readonly changed: ChangedImage | null }[],
  reader: Reader | null,
): Promise<ReadonlyMap<string, FoundSource>> {
  const changed = rows.flatMap(({ id, changed: source }) =>
    source === null ? [] : [{ id, ...source }],
  );
  if (changed.length === 0) return new Map();
  const texts = reader === null ? new Map<string, string>() : await readTexts(sql, changed, reader);
  return new Map(
    changed.map(({ id, ...source }) => [id, { ...source, text: texts.get(id) ?? null }]),
  );
}

/** Reads the texts of the images that generations changed, by the ids of the generations. */
async function readTexts(
  sql: Sql,
  changed: readonly { readonly id: string }[],
  { keyId }: Reader,
): Promise<ReadonlyMap<string, string>> {
  const found = await sql.query<{ id: string; text: string }>(
    `WITH RECURSIVE step AS (
       SELECT id, id AS "jobId", NULL::text AS text, 0 AS number FROM unnest($1::uuid[]) AS id
       UNION ALL
       SELECT step.id, source.id, left(coalesce(
                note.title, source.request->'scenes'->${imageOf("job.request")}->>'prompt', source.title,
                source.request->>'prompt'), ${textLength}), number + 1
         FROM step JOIN LATERAL (SELECT account_id, request FROM generation WHERE id = step."jobId") AS job ON true
         JOIN LATERAL (
           SELECT * FROM generation
            WHERE id = (job.request->'image'->>'job_id')::uuid AND account_id = job.account_id
              AND ($2::uuid IS NULL OR key_id = $2) LIMIT 1) AS source ON true
         LEFT JOIN job_note AS note
           ON note.account_id = source.account_id AND note.generation_id = source.id
        WHERE step.text IS NULL AND number < ${mostSteps}
     )
     SELECT id, text FROM step WHERE text IS NOT NULL`,
    [changed.map(({ id }) => id), keyId ?? null],
  );
  return new Map(found.map(({ id, text }) => [id, text]));
}
