import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  authenticate,
  createAccount,
  listAccounts,
  listKeys,
  redeemStudioLink,
} from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { firstSignInFile, openFirstAccount } from "./first-account.ts";

const keyPepper = "a pepper of thirty-two characters";

let testDatabase: TestDatabase;
let database: Database;
let home: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  home = await mkdtemp(join(tmpdir(), "atelier-first-"));
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(home, { recursive: true });
});

const open = () =>
  openFirstAccount(testDatabase.url, { home, publicUrl: "https://images.example", keyPepper });

/** Redeems the link of the file, and returns its account. */
async function signIn(): Promise<string | undefined> {
  const [, link = ""] = (await readFile(firstSignInFile(home), "utf8")).trim().split("#link=");
  const key = await redeemStudioLink(database, { link, peppers: [keyPepper] });
  return (await authenticate(database, key ?? "", [keyPepper]))?.accountId;
}

it("creates an account without credit, and writes its link into a file of the owner", async () => {
  expect(await open()).toBe(true);
  const [account, ...others] = await listAccounts(database);
  expect(account).toMatchObject({ name: "operator", balanceMicroEur: 0n });
  expect(others).toEqual([]);
  const file = firstSignInFile(home);
  expect(await readFile(file, "utf8")).toMatch(/^https:\/\/images\.example\/studio\/#link=\S+\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await signIn()).toBe(account?.id);
});

it("creates nothing in a database with accounts, and keeps the file", async () => {
  await open();
  const before = await readFile(firstSignInFile(home), "utf8");
  expect(await open()).toBe(false);
  expect(await readFile(firstSignInFile(home), "utf8")).toBe(before);
  const [account] = await listAccounts(database);
  expect(await listKeys(database, account?.id ?? "")).toHaveLength(1);
});

it("creates nothing beside accounts of others", async () => {
  await createAccount(database, { name: "demo" });
  expect(await open()).toBe(false);
  await expect(stat(firstSignInFile(home))).rejects.toThrow("ENOENT");
});

it("leaves no account when the link cannot be written, and creates both with the next start", async () => {
  await mkdir(firstSignInFile(home));
  await expect(open()).rejects.toThrow("EISDIR");
  expect(await listAccounts(database)).toEqual([]);
  await rm(firstSignInFile(home), { recursive: true });
  expect(await open()).toBe(true);
  expect(await signIn()).toBeDefined();
});
