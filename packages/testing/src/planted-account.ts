import { gunzipSync } from "node:zlib";
import { newId, type Database } from "@atelier/database";
import { dossierKey, imageKey, keptKey, stagedKey, uploadKey } from "@atelier/schemas";
import { fillHistory } from "./fill-history.ts";
import { findWord, plantWord } from "./planted-word.ts";

/** An account of `plantAccount`. */
export interface PlantedAccount {
  readonly accountId: string;
  readonly word: string;
}

/** Where the words are. */
interface PlantedStores {
  readonly database: Database;
  readonly storage: {
    put(key: string, bytes: Uint8Array, options: { readonly contentType: string }): Promise<void>;
    get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
    list(prefix: string): AsyncIterable<{ readonly key: string }>;
  };
}

/**
 * Makes an account with three jobs, of which two can be archived, and writes a word of its own into every column
 * and into files of every kind that can have words or pictures of a client.
 */
export async function plantAccount({ database, storage }: PlantedStores): Promise<PlantedAccount> {
  const word = `marzipan${newId().replaceAll("-", "")}`;
  const [accountId = ""] = await fillHistory(database, {
    accounts: 1,
    generations: 3,
    imagesKept: true,
    ages: [200, 1],
  });
  const uploadId = await plantWord(database, accountId, word);
  const renders = await database.query<{ id: string; generationId: string; isOld: boolean }>(
    `SELECT render.id, generation_id AS "generationId", completed_at < now() - interval '60 days' AS "isOld"
       FROM render JOIN generation ON generation.id = generation_id WHERE account_id = $1 ORDER BY render.id`,
    [accountId],
  );
  const { id: renderId, generationId } = renders.at(-1) ?? { id: "", generationId: "" };
  const copied = keptKey(generationId, newId(), "png");
  const toCopy = keptKey(generationId, newId(), "webp");
  await database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      `UPDATE image SET deleted_at = now(), removed_at = now() WHERE render_id = ANY ($1)`,
      [renders.filter(({ isOld }) => isOld).map(({ id }) => id)],
    );
    // That of the last job is the youngest: others do not keep theirs from being archived.
    await sql.query("UPDATE job_note SET generation_id = $2 WHERE account_id = $1", [
      accountId,
      generationId,
    ]);
    await sql.query(
      `INSERT INTO mark (render_id, model, dossier_attempt) SELECT id, 'test', 1 FROM unnest($1::uuid[]) AS id`,
      [renders.map(({ id }) => id)],
    );
    await sql.query(
      `INSERT INTO kept_item (id, account_id, kind, status, size_bytes) VALUES ($1, $2, 'job', 'copying', 2)`,
      [generationId, accountId],
    );
    await sql.query(
      `INSERT INTO kept_file (storage_key, item_id, account_id, render_id, format, source_key, sha256, size_bytes, width, height)
       SELECT key, $1, $2, $3, format::image_format, source, repeat('0', 64), 1, 1, 1
         FROM (VALUES ($4, 'png', NULL), ($5, 'webp', $6)) AS files (key, format, source)`,
      [
        generationId,
        accountId,
        renderId,
        copied,
        toCopy,
        imageKey({ renderId, attempt: 1 }, "webp"),
      ],
    );
  });
  const keys = [
    ...(["png", "jpeg", "webp"] as const).map((format) =>
      imageKey({ renderId, attempt: 1 }, format),
    ),
    ...renders.map(({ id }) => dossierKey({ renderId: id, attempt: 1 })),
    stagedKey({ renderId, attempt: 1 }, "image"),
    uploadKey(uploadId, "png"),
    copied,
  ];
  for (const key of keys) {
    const extension = key.slice(key.lastIndexOf(".") + 1);
    const isImage = ["png", "jpeg", "webp"].includes(extension);
    const contentType = isImage ? `image/${extension}` : "application/octet-stream";
    await storage.put(key, Buffer.from(word), { contentType });
  }
  return { accountId, word };
}

/** Finds the columns and the files that have the word of an account, except references of its transfers. */
export async function findPlanted(
  { database, storage }: PlantedStores,
  { word }: Pick<PlantedAccount, "word">,
): Promise<string[]> {
  const found = (await findWord(database, word)).filter(
    (column) => column !== "ledger_transfer.reference",
  );
  for await (const { key } of storage.list("")) {
    const bytes = (await storage.get(key))?.bytes ?? Buffer.alloc(0);
    const text = key.endsWith(".gz") ? gunzipSync(bytes) : Buffer.from(bytes);
    if (text.includes(word)) found.push(key);
  }
  return found;
}
