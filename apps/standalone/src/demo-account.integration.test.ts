import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, findAccount, listAccounts, listKeys, revokeKey } from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/test-services";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openDemoAccount } from "./demo-account.ts";

let testDatabase: TestDatabase;
let database: Database;
let home: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  home = await mkdtemp(join(tmpdir(), "atelier-demo-"));
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(home, { recursive: true });
});

async function open(changes: { baseUrl?: string; keyPepper?: string } = {}) {
  const keyPepper = "a pepper of thirty-two characters";
  const options = { home, baseUrl: "http://localhost:3000", keyPepper, ...changes };
  const demo = await openDemoAccount(testDatabase.url, options);
  if (demo === null) throw new Error("no demo account");
  return demo;
}

describe("openDemoAccount", () => {
  it("gives a new database one account with 10 EUR and one key", async () => {
    const demo = await open();
    expect(await listAccounts(database)).toMatchObject([
      { id: demo.account_id, name: "demo", balanceMicroEur: 10_000_000n },
    ]);
    expect(await listKeys(database, demo.account_id)).toHaveLength(1);
    expect(JSON.parse(await readFile(join(home, "demo.json"), "utf8"))).toEqual(demo);
  });

  it("finds both again, and gives nothing twice", async () => {
    const demo = await open();
    expect(await open()).toEqual(demo);
    expect(await findAccount(database, demo.account_id)).toMatchObject({
      balanceMicroEur: 10_000_000n,
    });
    expect(await listKeys(database, demo.account_id)).toHaveLength(1);
  });

  it("keeps the base URL in demo.json true", async () => {
    const demo = await open();
    expect(await open({ baseUrl: "http://localhost:4000" })).toEqual({
      ...demo,
      base_url: "http://localhost:4000",
    });
  });

  it("makes another key when demo.json is lost", async () => {
    const demo = await open();
    await rm(join(home, "demo.json"));
    const again = await open();
    expect(again.account_id).toBe(demo.account_id);
    expect(again.api_key).not.toBe(demo.api_key);
  });

  it("makes another key when the one in demo.json was revoked", async () => {
    const demo = await open();
    for (const { id } of await listKeys(database, demo.account_id)) await revokeKey(database, id);
    expect((await open()).api_key).not.toBe(demo.api_key);
  });

  it("makes another key when the pepper is another", async () => {
    const demo = await open();
    const keyPepper = "another pepper, of 32 characters!";
    expect((await open({ keyPepper })).api_key).not.toBe(demo.api_key);
  });

  it("gives the credit that a crash kept from a new account", async () => {
    await createAccount(database, { name: "demo" });
    const { account_id } = await open();
    expect(await findAccount(database, account_id)).toMatchObject({ balanceMicroEur: 10_000_000n });
  });

  it("adds nothing to a database that has accounts, none of them the demo", async () => {
    await createAccount(database, { name: "customer" });
    await expect(open()).rejects.toThrow("no demo account");
    expect(await listAccounts(database)).toHaveLength(1);
  });
});
