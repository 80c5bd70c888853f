import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticate } from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/test-services";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { run as runCommand } from "./run.ts";

const pepper = "a pepper of thirty-two characters";
const unknownId = "01890000-0000-7000-8000-000000000000";

let testDatabase: TestDatabase;
let database: Database;
let home: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  home = await mkdtemp(join(tmpdir(), "atelier-cli-"));
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(home, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line. */
async function runWith(
  environment: Record<string, string>,
  args: readonly string[],
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await runCommand(args, {
    environment,
    stdout: output("stdout"),
    stderr: output("stderr"),
    onInterruption: () => new AbortController().signal,
  });
  return { code, ...written };
}

const run = (...args: string[]) =>
  runWith({ DATABASE_URL: testDatabase.url, KEY_PEPPER: pepper }, args);

const account = z.looseObject({ id: z.uuid(), name: z.string(), balance_eur: z.string() });
const key = z.looseObject({ id: z.uuid(), api_key: z.string() });

/** Runs a command that must work, with its JSON. */
async function runJson<Schema extends z.ZodType>(
  schema: Schema,
  ...args: string[]
): Promise<z.infer<Schema>> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return schema.parse(JSON.parse(stdout));
}

describe("accounts", () => {
  it("are made with credit and strictness, shown and listed", async () => {
    const options = ["--strictness", "liberal", "--credit", "12.5"];
    const made = await runJson(account, "accounts", "create", "Studio North", ...options);
    expect(made).toMatchObject({
      name: "Studio North",
      strictness: "liberal",
      balance_eur: "12.50",
      held_eur: "0.00",
      status: "active",
    });
    expect(await runJson(account, "accounts", "show", made.id)).toEqual(made);
    const { accounts } = await runJson(
      z.object({ accounts: z.array(account) }),
      "accounts",
      "list",
    );
    expect(accounts).toContainEqual(made);
  });

  it("are listed in aligned columns", async () => {
    const { id } = await runJson(account, "accounts", "create", "A", "--credit", "3");
    const { stdout } = await run("accounts", "list");
    const [headings = "", ...rows] = stdout.trimEnd().split("\n");
    expect(headings).toMatch(/^ID +NAME +BALANCE +HELD +STRICTNESS +STATUS +CREATED$/);
    const row = rows.find((line) => line.startsWith(id)) ?? "";
    expect(row.indexOf("3.00")).toBe(headings.indexOf("BALANCE"));
    expect(row.indexOf("active")).toBe(headings.indexOf("STATUS"));
  });

  it("are topped up once per reference", async () => {
    const { id } = await runJson(account, "accounts", "create", "Referenced");
    const topUp = () => run("accounts", "top-up", id, "0.25", "--reference", "invoice 7");
    expect((await topUp()).stdout).toBe(
      '0.25 EUR were added to "Referenced". The balance is 0.25 EUR.\n',
    );
    expect((await topUp()).stdout).toBe(
      'Nothing was added to "Referenced": "invoice 7" was booked before. The balance is 0.25 EUR.\n',
    );
    expect(await run("accounts", "top-up", id, "9", "--reference", "invoice 7")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'reference "invoice 7" was already used for another amount, or for the other direction\n',
    });
  });

  it("give credit back, as far as there is any", async () => {
    const { id } = await runJson(account, "accounts", "create", "Leaving", "--credit", "3");
    expect(await run("accounts", "withdraw", id, "4")).toEqual({
      code: 1,
      stdout: "",
      stderr: "the balance is smaller than that\n",
    });
    const withdraw = () => run("accounts", "withdraw", id, "2.5", "--reference", "refund 7");
    expect((await withdraw()).stdout).toBe(
      '2.50 EUR were taken from "Leaving". The balance is 0.50 EUR.\n',
    );
    expect((await withdraw()).stdout).toBe(
      'Nothing was taken from "Leaving": "refund 7" was booked before. The balance is 0.50 EUR.\n',
    );
  });

  it("are told what was booked", async () => {
    const { id } = await runJson(account, "accounts", "create", "Told");
    expect((await run("accounts", "statement", id)).stdout).toBe(
      'Nothing was booked for "Told".\n',
    );
    await run("accounts", "top-up", id, "3", "--reference", "invoice 9");
    await run("accounts", "withdraw", id, "0.5");
    const { stdout } = await run("accounts", "statement", id);
    expect(stdout).toMatch(
      /^BOOKED +KIND +AVAILABLE +HELD +CHARGED +BALANCE +FOR\n\S+Z +withdrawal +-0\.50 +0\.00 +0\.00 +2\.50\n\S+Z +top_up +3\.00 +0\.00 +0\.00 +3\.00 +invoice 9\n$/,
    );
    const told = await runJson(z.unknown(), "accounts", "statement", id, "--limit", "1");
    expect(told).toEqual({
      account_id: id,
      transfers: [
        {
          id: expect.any(String),
          kind: "withdrawal",
          booked_at: expect.any(String),
          available_eur: "-0.50",
          held_eur: "0.00",
          charged_eur: "0.00",
          balance_eur: "2.50",
          job_id: null,
          reference: null,
        },
      ],
    });
    expect(await run("accounts", "statement", unknownId)).toMatchObject({ code: 1 });
    expect(await run("accounts", "statement", id, "--limit", "0")).toMatchObject({ code: 2 });
  });

  it("change their strictness", async () => {
    const { id } = await runJson(account, "accounts", "create", "Grown-up");
    expect(await runJson(account, "accounts", "strictness", id, "liberal")).toMatchObject({
      strictness: "liberal",
    });
    expect(await run("accounts", "strictness", id, "none")).toMatchObject({ code: 2 });
    expect((await run("accounts", "strictness", unknownId, "normal")).stderr).toBe(
      `There is no account with the id ${unknownId}.\n`,
    );
  });

  it("are suspended and resumed", async () => {
    const { id } = await runJson(account, "accounts", "create", "Paused");
    expect(await runJson(account, "accounts", "suspend", id)).toMatchObject({
      status: "suspended",
    });
    expect(await runJson(account, "accounts", "resume", id)).toMatchObject({
      status: "active",
      suspended_at: null,
    });
  });
});

describe("keys", () => {
  it("are shown once, open their account, and are revoked", async () => {
    const { id: accountId } = await runJson(account, "accounts", "create", "Keyed");
    const made = await runJson(key, "keys", "create", accountId, "--name", "laptop");
    expect(await authenticate(database, made.api_key, pepper)).toMatchObject({ accountId });

    const listed = await run("keys", "list", accountId);
    expect(listed.stdout).toMatch(new RegExp(`${made.id} +laptop +${made.api_key.slice(-4)}`));
    expect(listed.stdout).not.toContain(made.api_key);

    expect((await run("keys", "revoke", made.id)).code).toBe(0);
    expect(await authenticate(database, made.api_key, pepper)).toBeNull();
    expect(await run("keys", "revoke", made.id)).toMatchObject({
      code: 1,
      stderr: `There is no key with the id ${made.id} that still works.\n`,
    });
    expect((await run("keys", "list", accountId)).stdout).toContain("revoked");
  });

  it("come with a warning that they can't be read again", async () => {
    const { id } = await runJson(account, "accounts", "create", "Warned");
    const { stdout } = await run("keys", "create", id);
    expect(stdout).toMatch(/\n {2}atl_live_\w{36}\n\nIt is shown this one time/);
  });

  it("are not made without the pepper of the API: they would open nothing", async () => {
    const { id } = await runJson(account, "accounts", "create", "Unpeppered");
    const outcome = await runWith({ DATABASE_URL: testDatabase.url }, ["keys", "create", id]);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^KEY_PEPPER/) });
    expect((await run("keys", "list", id)).stdout.trim().split("\n")).toHaveLength(1);
  });
});

it("tells its version", async () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
  expect(await run("--version")).toEqual({ code: 0, stdout: version, stderr: "" });
});

describe("errors", () => {
  it("say in one line that there is no such account", async () => {
    const nobody = {
      code: 1,
      stdout: "",
      stderr: `There is no account with the id ${unknownId}.\n`,
    };
    expect(await run("accounts", "top-up", unknownId, "1")).toEqual(nobody);
    expect(await run("keys", "create", unknownId)).toEqual(nobody);
  });

  it("of use have the exit code 2", async () => {
    expect(await run("accounts", "show", "1")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: command-argument value '1' is invalid for argument 'account-id'. It is not an id.\n",
    });
  });

  it("say when the database does not answer", async () => {
    const outcome = await runWith({ DATABASE_URL: "postgres://127.0.0.1:1/atelier" }, [
      "accounts",
      "list",
    ]);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: "The database does not answer: connect ECONNREFUSED 127.0.0.1:1\n",
    });
  });
});

describe("without DATABASE_URL", () => {
  it("the installation in ATELIER_HOME is used", async () => {
    const local = {
      database_url: testDatabase.url,
      key_pepper: pepper,
      storage_url: `file:${home}`,
    };
    await writeFile(join(home, "local.json"), JSON.stringify(local));
    const made = await runWith({ ATELIER_HOME: home }, ["accounts", "create", "Local", "--json"]);
    const { id } = account.parse(JSON.parse(made.stdout));
    const { stdout } = await runWith({ ATELIER_HOME: home }, ["keys", "create", id, "--json"]);
    const { api_key } = key.parse(JSON.parse(stdout));
    expect(await authenticate(database, api_key, pepper)).toMatchObject({ accountId: id });
  });

  it("and without an installation, the answer says what to do", async () => {
    const outcome = await runWith({ ATELIER_HOME: "/nowhere" }, ["accounts", "list"]);
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "There is no database to work on: nothing runs in /nowhere. " +
        "Start it with npm start, or set DATABASE_URL and KEY_PEPPER.\n",
    });
  });
});
