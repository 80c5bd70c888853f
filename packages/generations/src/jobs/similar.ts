import { statement, type Database } from "@atelier/database";
import { AppError, type KeyMode } from "@atelier/schemas";
import type { Owner } from "./find.ts";
import { newestIds, queryCanceled } from "./list.ts";

/**
 * Largest distance in bits of 256 between the fingerprints of similar images. Copies differ in at most 15, edits of a
 * part and small variations in about 50, and images of other prompts in more than 100.
 */
const maxDistance = 64;

/** The images that are compared, newest first: a search costs the same, however many an account has. */
const comparedImages = 10_000;

/** The most jobs that are found, the most similar ones. */
const mostFound = 100;

/** Like that of a search for words, in milliseconds. */
const timeoutMs = 5_000;

/** SQL: the fingerprint of the image of a file that a reader may read. */
const sought = statement(
  ["sha256", "accountId", "mode", "keyId"],
  `SELECT mark.perceptual_hash::text AS fingerprint
     FROM mark_file AS file JOIN mark ON mark.render_id = file.render_id
     JOIN render ON render.id = file.render_id
     JOIN generation ON generation.id = render.generation_id
    WHERE file.sha256 = :sha256::bpchar AND generation.account_id = :accountId
      AND (:mode::key_mode IS NULL OR generation.mode = :mode)
      AND (:keyId::uuid IS NULL OR generation.key_id = :keyId)`,
);

/**
 * Finds the completed generations with the images that look most like another one: the newest 10,000 are compared.
 * The index of fingerprints is not used: it finds only copies, and reads the images of all accounts.
 *
 * @param sha256 in lower-case hexadecimal of a file of the other image, which may be deleted.
 * @param reader whose image it must be.
 * @param among the generations that are compared, and with how many of their newest images.
 * @returns at most 100 ids.
 * @throws AppError `job_not_found` when the reader has no such image or it has no fingerprint, and `overloaded`
 *   for a search that takes too long.
 */
export async function findSimilar(
  database: Pick<Database, "transaction">,
  sha256: string,
  reader: Owner,
  among: Owner & { readonly mode: KeyMode | null; readonly compared?: number },
): Promise<string[]> {
  const { accountId, mode = null, keyId = null } = reader;
  try {
    return await database.transaction(async (sql) => {
      const [image] = await sql.query<{ fingerprint: string | null }>(
        ...sought.bind({ sha256, accountId, mode, keyId }),
      );
      if (image?.fingerprint == null) throw imageNotFound(sha256);
      // Compiling the plan takes longer than the search.
      await sql.query("SET LOCAL jit = off");
      await sql.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      const compare = compareNewest(among);
      const found = await sql.query<{ id: string }>(
        ...compare.bind({
          ownerId: among.keyId ?? among.accountId,
          rows: among.compared ?? comparedImages,
          fingerprint: image.fingerprint,
        }),
      );
      return found.map(({ id }) => id);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== queryCanceled) throw error;
    throw new AppError("overloaded", "The search for similar images took too long. Try again.", {
      retryAfterMs: 10_000,
      cause: error,
    });
  }
}

/**
 * SQL for the generations whose images are the most similar. `OFFSET 0` makes Postgres read the images of one
 * generation after another until there are enough, instead of those of all accounts.
 */
function compareNewest(among: Pick<Owner, "keyId" | "mode">) {
  return statement(
    ["ownerId", "rows", "fingerprint"],
    `SELECT id FROM (
       SELECT newest.id, image.perceptual_hash
         FROM (${newestIds({ ...among, status: "completed" }, "true")}) AS newest, LATERAL (
           SELECT mark.perceptual_hash FROM render JOIN mark ON mark.render_id = render.id
            WHERE render.generation_id = newest.id OFFSET 0) AS image
        ORDER BY newest.id DESC LIMIT :rows
     ) AS compared
     WHERE bit_count(perceptual_hash # :fingerprint::bit(256)) <= ${maxDistance}
     GROUP BY id ORDER BY min(bit_count(perceptual_hash # :fingerprint::bit(256))), id DESC
     LIMIT ${mostFound}`,
  );
}

function imageNotFound(sha256: string): AppError {
  return new AppError(
    "job_not_found",
    `No job that this key may read has made a file with the SHA-256 ${sha256} whose look is known. Use the image_hash of an image.`,
  );
}
