import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, newId, type Database } from "@atelier/database";
import { insertTestKey } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createStorage, type Storage } from "@atelier/storage";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sweepUploads } from "../src/sweep/sweep-uploads.ts";

let directory: string;
let storage: Storage;
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-sweep-uploads-"));
  storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://127.0.0.1:1",
    signingSecret: "a secret that is only for tests and long enough",
  });
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
});

afterAll(async () => {
  await storage.close();
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

it("removes all expired uploads in one sweep although files of the oldest cannot be deleted", async () => {
  const accountId = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
  await insertTestKey(database, accountId);
  const expired = await database.query<{ key: string }>(
    `INSERT INTO upload (id, account_id, key_id, size_bytes, storage_key, format, sha256, width, height,
                         expires_at)
     SELECT id, $1, $1, 1, 'uploads/' || id || '/image.png', 'png', repeat('0', 64), 1, 1,
            now() - interval '1 day' + place * interval '1 s'
       FROM (SELECT uuidv7() AS id, place FROM generate_series(1, 700) AS place) AS made
     RETURNING storage_key AS key`,
    [accountId],
  );
  const stuck = expired.slice(0, 250).map(({ key }) => key);
  const failing: Storage = {
    ...storage,
    async delete(keys) {
      const denied = keys.filter((key) => stuck.includes(key));
      await storage.delete(keys.filter((key) => !denied.includes(key)));
      return denied.map((key) => ({ key, reason: "AccessDenied" }));
    },
  };

  const { removed, failed } = await sweepUploads({ database, storage: failing }, async () => true);
  expect(removed).toBe(450);
  expect(failed.map(({ key }) => key).toSorted()).toEqual(stuck.toSorted());
  const left = await database.query<{ key: string }>("SELECT storage_key AS key FROM upload");
  expect(left.map(({ key }) => key).toSorted()).toEqual(stuck.toSorted());
});
