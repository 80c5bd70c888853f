import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticate } from "@atelier/accounts";
import { createAccountOnce } from "@atelier/billing";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

const pepper = "a pepper of thirty-two characters";

let testDatabase: TestDatabase;
let database: Database;
let folder: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
  folder = await mkdtemp(join(tmpdir(), "atelier-import-"));
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], isTTY = false) =>
  runInTest(args, { DATABASE_URL: testDatabase.url, KEY_PEPPER: pepper }, isTTY);

const sums = async (prefix: string) =>
  (
    await database.query<{ accounts: number; credit: bigint; keys: number; lines: number }>(
      `SELECT count(*)::int AS accounts, coalesce(sum(balance_micro_eur), 0)::bigint AS credit,
              (SELECT count(*)::int FROM api_key JOIN account AS own ON own.id = account_id
                WHERE own.external_id LIKE $1 AND revoked_at IS NULL) AS keys,
              (SELECT count(*)::int FROM operator_log JOIN account AS own ON own.id = target_id
                WHERE own.external_id LIKE $1) AS lines
         FROM account WHERE external_id LIKE $1`,
      [`${prefix}%`],
    )
  )[0];

it("creates 500 accounts with credit and keys once, although it runs twice", async () => {
  const file = join(folder, "accounts.csv");
  const rows = Array.from({ length: 500 }, (_, index) => `A-${index},Account ${index},1.5`);
  await writeFile(file, ["external_id,name,credit_eur", ...rows].join("\n"));
  const dry = await run(["accounts", "import", file, "--dry-run", "--json"]);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, created: 500, exists: 0 });
  expect(await sums("A-")).toMatchObject({ accounts: 0 });

  const keysOut = join(folder, "keys.csv");
  const first = await run(["accounts", "import", file, "--keys-out", keysOut], true);
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr).toContain("250 of 500 accounts");
  expect(first.stdout).toContain("Created: 500, exist: 0, keys rotated: 0");
  const all = { accounts: 500, credit: 750_000_000n, keys: 500, lines: 500 };
  expect(await sums("A-")).toEqual(all);
  expect((await stat(keysOut)).mode & 0o777).toBe(0o600);
  const keys = (await readFile(keysOut, "utf8")).trimEnd().split("\n");
  expect(keys).toHaveLength(501);
  const [externalId, accountId, keyId, key = ""] = keys[1]?.split(",") ?? [];
  expect(externalId).toBe("A-0");
  expect(await authenticate(database, key, [pepper])).toMatchObject({ accountId, keyId });

  expect(await run(["accounts", "import", file, "--keys-out", keysOut])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("exists, and may have keys"),
  });
  const again = await run(["accounts", "import", file, "--keys-out", join(folder, "again.csv")]);
  expect(again.stdout).toContain("Created: 0, exist: 500");
  expect(again.stdout).toMatch(/^A-0 +[0-9a-f-]{36} +exists$/m);
  expect(await sums("A-")).toEqual(all);

  // The first key is in use, so that it is not missing.
  await database.query("UPDATE api_key SET last_used_at = now() WHERE id = $1", [keyId]);
  const rotated = join(folder, "rotated.csv");
  const third = await run(["accounts", "import", file, "--keys-out", rotated, "--rotate-missing"]);
  expect(third.stdout).toContain("Created: 0, exist: 1, keys rotated: 499");
  expect(await sums("A-")).toEqual({ ...all, lines: 999 });
  expect(await authenticate(database, key, [pepper])).not.toBeNull();
  const [, , , lost = ""] = keys[2]?.split(",") ?? [];
  expect(await authenticate(database, lost, [pepper])).toBeNull();
});

it("continues after an interruption, and loses no key of a committed account", async () => {
  const file = join(folder, "interrupted.jsonl");
  const row = (id: number) => JSON.stringify({ external_id: `B-${id}`, name: `B ${id}` });
  await writeFile(file, [row(1), row(2), row(3)].join("\n"));
  const stored: string[] = [];
  const wanted = (id: number, store: (key: string) => Promise<void>) => ({
    name: `B ${id}`,
    externalId: `B-${id}`,
    strictness: null,
    creditMicroEur: 1_000_000n,
    key: {
      name: "key",
      mode: "live" as const,
      pepper,
      rotatesUnused: false,
      store: ({ key }: { readonly key: string }) => store(key),
    },
  });
  const recorded = {
    actor: "test",
    action: "accounts import",
    operatorLogKey: null,
    requestId: null,
  };
  const keep = async (key: string) => void stored.push(key);
  await createAccountOnce(database, wanted(1, keep), recorded);
  // The process dies between writing a key and the commit.
  const died = createAccountOnce(
    database,
    wanted(2, async (key) => {
      stored.push(key);
      throw new Error("died");
    }),
    recorded,
  );
  await expect(died).rejects.toThrow("died");
  expect(await sums("B-")).toMatchObject({ accounts: 1, credit: 1_000_000n, keys: 1 });
  const rest = await run(["accounts", "import", file, "--keys-out", join(folder, "b.csv")]);
  expect(rest.stdout).toContain("Created: 2, exist: 1");
  expect(await sums("B-")).toMatchObject({ accounts: 3, keys: 3 });
  expect(await authenticate(database, stored[0] ?? "", [pepper])).not.toBeNull();
  expect(await authenticate(database, stored[1] ?? "", [pepper])).toBeNull();
});

it("creates an account once when responses are lost, and when two imports run at once", async () => {
  const lossy: Pick<Database, "transaction"> = {
    async transaction(work) {
      await database.transaction(work);
      return database.transaction(work);
    },
  };
  const recorded = {
    actor: "test",
    action: "accounts import",
    operatorLogKey: null,
    requestId: null,
  };
  const keys: string[] = [];
  const wanted = (externalId: string) => ({
    name: "C",
    externalId,
    strictness: null,
    creditMicroEur: 2_000_000n,
    key: {
      name: "key",
      mode: "test" as const,
      pepper,
      rotatesUnused: false,
      store: async ({ key }: { readonly key: string }) => void keys.push(key),
    },
  });
  const lost = await createAccountOnce(lossy, wanted("C-1"), recorded);
  expect(lost.outcome).toBe("created");
  expect(keys).toHaveLength(1);
  const alone = { ...wanted("C-0"), externalId: null, key: null };
  const created = await createAccountOnce(lossy, alone, recorded);
  const accounts = await database.query(
    "SELECT balance_micro_eur AS balance FROM account WHERE id = $1",
    [created.id],
  );
  expect({ outcome: created.outcome, accounts }).toEqual({
    outcome: "created",
    accounts: [{ balance: 2_000_000n }],
  });
  const both = await Promise.all(
    [1, 2].map(() => createAccountOnce(database, wanted("C-2"), recorded)),
  );
  expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["created", "exists"]);
  expect(await sums("C-")).toEqual({ accounts: 2, credit: 4_000_000n, keys: 2, lines: 2 });
});

it("stores the key that it inserts, also when storing it failed or the account became another one", async () => {
  const recorded = {
    actor: "test",
    action: "accounts import",
    operatorLogKey: null,
    requestId: null,
  };
  const lines: string[] = [];
  const wanted = (externalId: string, beforeStore: () => void) => ({
    name: "E",
    externalId,
    strictness: null,
    creditMicroEur: 0n,
    key: {
      name: "key",
      mode: "test" as const,
      pepper,
      rotatesUnused: true,
      store: async ({ id }: { readonly id: string }, accountId: string) => {
        beforeStore();
        lines.push(`${accountId} ${id}`);
      },
    },
  });
  const keysOf = async (externalId: string) => {
    const keys = await database.query<{ line: string }>(
      `SELECT account_id || ' ' || api_key.id AS line FROM api_key JOIN account ON account.id = account_id
        WHERE external_id = $1 AND revoked_at IS NULL`,
      [externalId],
    );
    return keys.map(({ line }) => line);
  };
  let failures = 0;
  const failing = wanted("E-1", () => {
    if (failures++ === 0) throw Object.assign(new Error("timed out"), { code: "ETIMEDOUT" });
  });
  await createAccountOnce(database, failing, recorded);
  expect(await keysOf("E-1")).toEqual(lines);

  const lost = new Error("lost before the commit");
  const unreliable: Pick<Database, "transaction"> = {
    async transaction(work) {
      const failed = database.transaction(async (sql) => {
        await work(sql);
        throw lost;
      });
      await expect(failed).rejects.toBe(lost);
      await createAccountOnce(
        database,
        wanted("E-2", () => undefined),
        recorded,
      );
      return database.transaction(work);
    },
  };
  await createAccountOnce(
    unreliable,
    wanted("E-2", () => undefined),
    recorded,
  );
  expect(await keysOf("E-2")).toEqual(lines.slice(-1));
});

it("accounts create --external-id creates and credits an account once", async () => {
  const create = async () => {
    const flags = ["--credit", "5", "--external-id", "D-1", "--json"];
    const { stdout } = await run(["accounts", "create", "Nougat", ...flags]);
    return JSON.parse(stdout) as { id: string; outcome: string };
  };
  const first = await create();
  expect(first).toMatchObject({ outcome: "created", balance_eur: "5.00", external_id: "D-1" });
  expect(await create()).toMatchObject({ id: first.id, outcome: "exists", balance_eur: "5.00" });
});
