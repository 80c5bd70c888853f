import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { keptKey } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import { createLogger } from "@atelier/telemetry";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { createFileBackOff } from "./file-back-off.ts";
import { keepFiles } from "./keep-files.ts";

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  drop = () => testDatabase.drop();
});

beforeEach(() => database.query("TRUNCATE kept_item, kept_file"));

afterAll(async () => {
  await database.close();
  await drop();
});

/** Adds an item of a new account that is to be copied, or that was copied and released. */
async function addItem({ isReleased = false } = {}): Promise<{ id: string; keys: string[] }> {
  const id = newId();
  const keys = ["png", "webp"].map((format) => keptKey(id, newId(), format as "png" | "webp"));
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [id]);
  if (!isReleased) {
    await database.query(
      `INSERT INTO kept_item (id, account_id, kind, status, size_bytes) VALUES ($1, $1, 'job', 'copying', 2)`,
      [id],
    );
  }
  await database.query(
    `INSERT INTO kept_file (storage_key, item_id, account_id, format, source_key, sha256, size_bytes, width,
                            height, deleted_at)
     SELECT key, $1, $1, 'png', CASE WHEN NOT $3 THEN 'renders/' || key END, repeat('0', 64), 1, 1, 1,
            CASE WHEN $3 THEN now() END
       FROM unnest($2::text[]) AS keys (key)`,
    [id, keys, isReleased],
  );
  return { id, keys };
}

async function statusOf(id: string): Promise<string | undefined> {
  const [item] = await database.query<{ status: string }>(
    "SELECT status FROM kept_item WHERE id = $1",
    [id],
  );
  return item?.status;
}

const logger = createLogger("test", "silent");

/** A storage that fails for some keys, and records what it was asked for. */
function failingStorage(isFailing: (key: string) => boolean) {
  const copied: string[] = [];
  const deleted: string[] = [];
  const storage: Pick<Storage, "copy" | "delete"> = {
    async copy(_from, to) {
      copied.push(to);
      if (isFailing(to)) throw new Error("EIO: i/o error, copyfile");
      return true;
    },
    async delete(keys) {
      deleted.push(...keys);
      return keys.filter(isFailing).map((key) => ({ key, reason: "EIO" }));
    },
  };
  return { storage: storage as Storage, copied, deleted };
}

const proceed = () => Promise.resolve(true);

it("keeps and removes the files of other accounts when one file cannot be copied", async () => {
  const [broken, good, released] = [
    await addItem(),
    await addItem(),
    await addItem({ isReleased: true }),
  ];
  const { storage, deleted } = failingStorage((key) => key === broken.keys[0]);
  await keepFiles({ quotaBytes: 10 }, { database, storage, logger }, proceed);
  expect(await statusOf(good.id)).toBe("kept");
  expect(await statusOf(broken.id)).toBe("copying");
  expect(deleted.toSorted()).toEqual(released.keys.toSorted());
  expect(await database.query("SELECT FROM kept_file WHERE source_key IS NULL")).toHaveLength(3);
});

it("tries a failed file again after its backoff, and keeps its item then", async () => {
  const broken = await addItem();
  const released = await addItem({ isReleased: true });
  let isBroken = true;
  const failing = [broken.keys[0], released.keys[0]];
  const { storage, copied, deleted } = failingStorage((key) => isBroken && failing.includes(key));
  let now = 0;
  const options = { quotaBytes: 10, backOff: createFileBackOff(() => now) };
  const turn = () => keepFiles(options, { database, storage, logger }, proceed);
  await turn();
  expect([copied.length, deleted.length]).toEqual([2, 2]);
  await turn();
  expect([copied.length, deleted.length]).toEqual([2, 2]);
  now += 5_000;
  await turn();
  expect([copied.length, deleted.length]).toEqual([3, 3]);
  now += 5_000 * 0.8;
  isBroken = false;
  await turn();
  expect(await statusOf(broken.id)).toBe("copying");
  now += 6_000;
  await turn();
  expect(await statusOf(broken.id)).toBe("kept");
  expect(await database.query("SELECT FROM kept_file WHERE deleted_at IS NOT NULL")).toEqual([]);
});

it("still removes files when the storage can copy none", async () => {
  const items = [await addItem(), await addItem()];
  const released = await addItem({ isReleased: true });
  const { storage, deleted } = failingStorage((key) =>
    items.some(({ keys }) => keys.includes(key)),
  );
  await keepFiles({ quotaBytes: 10 }, { database, storage, logger }, proceed);
  expect(deleted.toSorted()).toEqual(released.keys.toSorted());
});

it("still removes files when an item cannot be kept", async () => {
  const released = await addItem({ isReleased: true });
  const { storage, deleted } = failingStorage(() => false);
  const failing = {
    ...database,
    query: <Row extends object>(text: string, values?: readonly unknown[]) =>
      text.includes("status = 'requested'")
        ? Promise.reject(new Error("lost"))
        : database.query<Row>(text, values),
  } as Database;
  await expect(
    keepFiles({ quotaBytes: 10 }, { database: failing, storage, logger }, proceed),
  ).rejects.toThrow("lost");
  expect(deleted.toSorted()).toEqual(released.keys.toSorted());
});
