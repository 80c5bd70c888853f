import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import type { Storage } from "@atelier/storage";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sweepExpired } from "./sweep-expired.ts";

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  drop = () => testDatabase.drop();
});

afterAll(async () => {
  await database.close();
  await drop();
});

/** Adds a job of two hours ago with an image, of a new account that keeps images for an hour. */
async function addJob(): Promise<string> {
  const accountId = newId();
  await database.query("INSERT INTO account (id, name, retention_hours) VALUES ($1, 'test', 1)", [
    accountId,
  ]);
  const [image] = await database.query<{ key: string }>(
    `WITH job AS (
       INSERT INTO generation (id, account_id, kind, operation, status, model, request, strictness,
                               price_micro_eur, renders_total, completed_at, deadline_at)
       SELECT uuidv7(interval '-3 hours'), $1, 'image', 'image', 'completed', 'test', '{}', 'normal', 1, 1,
              now() - interval '2 hours', now()
       RETURNING id
     ), made AS (
       INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, finished_at)
       SELECT uuidv7(), id, 0, 'image', 'done', 'test', 'test', '{"references": []}', now() FROM job
       RETURNING id
     )
     INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height)
     SELECT id, 'png', 'renders/' || id || '/1.png', repeat('0', 64), 1, 1, 1 FROM made
     RETURNING storage_key AS key`,
    [accountId],
  );
  return image?.key ?? "";
}

it.each([
  ["the images of the operator's retention cannot be marked", 1, 2],
  ["the images of one account cannot be marked", 2, 1],
])("deletes the files of others when %s", async (_case, failingStatement, deletedFiles) => {
  await database.query("UPDATE account SET retention_hours = NULL");
  const keys = [await addJob(), await addJob()];
  let statements = 0;
  const failing: Database = {
    ...database,
    transaction: (work) =>
      ++statements === failingStatement
        ? Promise.reject(new Error("lost"))
        : database.transaction(work),
  };
  const deleted: string[] = [];
  const storage = {
    delete: async (files: readonly string[]) => {
      deleted.push(...files);
      return [];
    },
  } as unknown as Storage;
  const sweep = (on: Database) =>
    sweepExpired(86_400_000, { database: on, storage }, async () => true);
  await expect(sweep(failing)).rejects.toThrow("lost");
  expect(deleted).toHaveLength(deletedFiles);
  await sweep(database);
  expect(deleted.toSorted()).toEqual(keys.toSorted());
});
