import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createAccount,
  findAccount,
  listAccounts,
  listKeys,
  revokeKey,
  type Peppers,
} from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
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

async function open(changes: { baseUrl?: string; keyPeppers?: Peppers } = {}) {
  const keyPeppers: Peppers = ["a pepper of thirty-two characters"];
  const options = { home, baseUrl: "http://localhost:3000", keyPeppers, ...changes };
  const demo = await openDemoAccount(testDatabase.url, options);
  if (demo === null) throw new Error("no demo account");
  return demo;
}

describe("openDemoAccount", () => {
  it("creates one account with 10 EUR and one key in a new database", async () => {
    const demo = await open();
    expect(await listAccounts(database)).toMatchObject([
      { id: demo.account_id, name: "demo", balanceMicroEur: 10_000_000n },
    ]);
    expect(await listKeys(database, demo.account_id)).toHaveLength(1);
    expect(JSON.parse(await readFile(join(home, "demo.json"), "utf8"))).toEqual(demo);
  });

  it("finds both again without adding credit", async () => {
    const demo = await open();
    expect(await open()).toEqual(demo);
    expect(await findAccount(database, demo.account_id)).toMatchObject({
      balanceMicroEur: 10_000_000n,
    });
    expect(await listKeys(database, demo.account_id)).toHaveLength(1);
  });

  it("updates the base URL in demo.json", async () => {
    const demo = await open();
    expect(await open({ baseUrl: "http://localhost:4000" })).toEqual({
      ...demo,
      base_url: "http://localhost:4000",
    });
  });

  it("creates another key when demo.json is lost", async () => {
    const demo = await open();
    await rm(join(home, "demo.json"));
    const again = await open();
    expect(again.account_id).toBe(demo.account_id);
    expect(again.api_key).not.toBe(demo.api_key);
  });

  it("creates another key when the one in demo.json was revoked", async () => {
    const demo = await open();
    for (const { id } of await listKeys(database, demo.account_id)) await revokeKey(database, id);
    expect((await open()).api_key).not.toBe(demo.api_key);
  });

  it("creates another key when the pepper changed", async () => {
    const demo = await open();
    const keyPeppers: Peppers = ["another pepper, of 32 characters!"];
    expect((await open({ keyPeppers })).api_key).not.toBe(demo.api_key);
  });

  it("adds the credit of a new account after a crash", async () => {
    await createAccount(database, { name: "demo" });
    const { account_id } = await open();
    expect(await findAccount(database, account_id)).toMatchObject({ balanceMicroEur: 10_000_000n });
  });

  it("adds nothing to a database with other accounts", async () => {
    await createAccount(database, { name: "customer" });
    await expect(open()).rejects.toThrow("no demo account");
    expect(await listAccounts(database)).toHaveLength(1);
  });
});
