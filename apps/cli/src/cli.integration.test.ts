import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticate, findKey, redeemStudioLink } from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { runInTest, type Outcome } from "./testing/run-in-test.ts";

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

/** Runs one command line. */
const runWith = (environment: Record<string, string>, args: readonly string[]): Promise<Outcome> =>
  runInTest(args, environment);

const run = (...args: string[]) =>
  runWith({ DATABASE_URL: testDatabase.url, KEY_PEPPER: pepper }, args);

const account = z.looseObject({ id: z.uuid(), name: z.string(), balance_eur: z.string() });
const key = z.looseObject({ id: z.uuid(), api_key: z.string() });

/** Runs a command that must succeed and returns its JSON. */
async function runJson<Schema extends z.ZodType>(
  schema: Schema,
  ...args: string[]
): Promise<z.infer<Schema>> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return schema.parse(JSON.parse(stdout));
}

it("writes what a terminal would obey escaped, and one row for each key", async () => {
  const { id } = await runJson(account, "accounts", "create", "Hostile names");
  const created = await runJson(key, "accounts", "keys", "create", id);
  // As names could be before they were checked.
  const name = "\u001b]52;c;QQ==\u0007\u009b2J\u202e\r\nanother row";
  await database.query("UPDATE api_key SET name = $2 WHERE id = $1", [created.id, name]);
  const { stdout } = await run("accounts", "keys", "list", id);
  expect(stdout).toMatch(/^[ -~\n]*$/);
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(stdout).toContain(String.raw`\u001b]52;c;QQ==\u0007\u009b2J\u202e\u000d\u000aanother row`);
  const { keys } = await runJson(
    z.object({ keys: z.array(z.any()) }),
    "accounts",
    "keys",
    "list",
    id,
  );
  expect(keys).toMatchObject([{ name }]);
  const unknown = await run("accounts", "show", "\u001b[2J");
  expect(unknown.stderr).toMatch(/^[ -~\n]*$/);
  const refused = await run("accounts", "create", "a\u001b[2J");
  expect(refused.stderr).toContain("no control characters");
});

describe("accounts", () => {
  it("are created with credit and strictness, shown and listed", async () => {
    const options = ["--strictness", "liberal", "--credit", "12.5"];
    const created = await runJson(account, "accounts", "create", "Studio North", ...options);
    expect(created).toMatchObject({
      name: "Studio North",
      strictness: "liberal",
      balance_eur: "12.50",
      held_eur: "0.00",
      status: "active",
    });
    expect(await runJson(account, "accounts", "show", created.id)).toEqual(created);
    const { accounts } = await runJson(
      z.object({ accounts: z.array(account) }),
      "accounts",
      "list",
    );
    expect(accounts).toContainEqual(created);
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

  it("print a generated reference before booking, so that the booking can be repeated safely", async () => {
    const { id } = await runJson(account, "accounts", "create", "Unreferenced");
    const first = await run("accounts", "top-up", id, "2");
    expect(first.stdout).toBe('2.00 EUR were added to "Unreferenced". The balance is 2.00 EUR.\n');
    const [, reference = ""] = /--reference (\S+)\.\n$/.exec(first.stderr) ?? [];
    expect(reference).toMatch(/^top-up-[0-9a-f-]{36}$/);
    const again = await run("accounts", "top-up", id, "2", "--reference", reference);
    expect(again.stdout).toContain("Nothing was added");
  });

  it("require a confirmation for large amounts, and reject amounts that cannot be stored", async () => {
    const { id } = await runJson(account, "accounts", "create", "Rich");
    const topUp = (eur: string, ...flags: string[]) =>
      run("accounts", "top-up", id, eur, "--reference", `invoice ${eur} ${flags.join()}`, ...flags);
    expect(await topUp("10000.01")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("more than 10000.00 EUR. Repeat the command with --yes"),
    });
    expect((await topUp("10000")).code).toBe(0);
    expect((await topUp("999999999999", "--yes")).code).toBe(0);
    const sql = "UPDATE account SET balance_micro_eur = 9223372036854775807 WHERE id = $1";
    await database.query(sql, [id]);
    const tooMuch = await run("accounts", "top-up", id, "1", "--reference", "one too many");
    expect(tooMuch).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the balance would exceed .* Book a smaller amount\n$/),
    });
    expect((await run("accounts", "create", "Richer", "--credit", "10001")).code).toBe(1);
  });

  it("allow withdrawals up to the available credit", async () => {
    const { id } = await runJson(account, "accounts", "create", "Leaving", "--credit", "3");
    expect(await run("accounts", "withdraw", id, "4", "--reference", "refund 6")).toEqual({
      code: 1,
      stdout: "",
      stderr: "the balance is smaller than the amount\n",
    });
    const withdraw = () => run("accounts", "withdraw", id, "2.5", "--reference", "refund 7");
    expect((await withdraw()).stdout).toBe(
      '2.50 EUR were taken from "Leaving". The balance is 0.50 EUR.\n',
    );
    expect((await withdraw()).stdout).toBe(
      'Nothing was taken from "Leaving": "refund 7" was booked before. The balance is 0.50 EUR.\n',
    );
  });

  it("have a statement of their ledger entries", async () => {
    const { id } = await runJson(account, "accounts", "create", "Told");
    expect((await run("accounts", "statement", id)).stdout).toBe('"Told" has no ledger entries.\n');
    await run("accounts", "top-up", id, "3", "--reference", "invoice 9");
    await run("accounts", "withdraw", id, "0.5", "--reference", "refund 9");
    const { stdout } = await run("accounts", "statement", id);
    expect(stdout).toMatch(
      /^BOOKED +KIND +AVAILABLE +HELD +CHARGED +BALANCE +FOR\n\S+Z +withdrawal +-0\.50 +0\.00 +0\.00 +2\.50 +refund 9\n\S+Z +top_up +3\.00 +0\.00 +0\.00 +3\.00 +invoice 9\n$/,
    );
    const statement = await runJson(z.unknown(), "accounts", "statement", id, "--limit", "1");
    expect(statement).toEqual({
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
          reference: "refund 9",
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
      `Account ${unknownId} does not exist.\n`,
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
  it("have the limits of the flags of the caller's command", async () => {
    const { id } = await runJson(account, "accounts", "create", "Limited");
    const limits = ["--budget", "5", "--period", "month", "--models", "builtin-pattern, our-flux"];
    const rights = ["--scopes", "generate,read", "--expires", "2099-01-01"];
    const created = await runJson(key, "accounts", "keys", "create", id, ...limits, ...rights);
    expect(await findKey(database, { accountId: id, keyId: created.id })).toMatchObject({
      scopes: ["generate", "read"],
      models: ["builtin-pattern", "our-flux"],
      budgetMicroEur: 5_000_000n,
      budgetPeriod: "month",
      expiresAt: new Date("2099-01-01"),
    });
    const unlimited = await run("accounts", "keys", "create", id, "--period", "month");
    expect(unlimited).toMatchObject({ code: 2, stderr: "--period needs --budget.\n" });
    const misspelt = await run("accounts", "keys", "create", id, "--scopes", "reed");
    expect(misspelt.stderr).toContain("It must be a list of");
  });

  it("are shown once, authenticate their account, and can be revoked", async () => {
    const { id: accountId } = await runJson(account, "accounts", "create", "Keyed");
    const created = await runJson(key, "accounts", "keys", "create", accountId, "--name", "laptop");
    expect(await authenticate(database, created.api_key, [pepper])).toMatchObject({ accountId });
    const test = await runJson(key, "accounts", "keys", "create", accountId, "--mode", "test");
    expect(await authenticate(database, test.api_key, [pepper])).toMatchObject({ mode: "test" });

    const listed = await run("accounts", "keys", "list", accountId);
    expect(listed.stdout).toMatch(
      new RegExp(`${created.id} +laptop +live +${created.api_key.slice(-4)}`),
    );
    expect(listed.stdout).not.toContain(created.api_key);

    expect((await run("accounts", "keys", "revoke", created.id)).code).toBe(0);
    expect(await authenticate(database, created.api_key, [pepper])).toBeNull();
    expect(await run("accounts", "keys", "revoke", created.id)).toMatchObject({
      code: 1,
      stderr: `Key ${created.id} does not exist or is revoked.\n`,
    });
    expect((await run("accounts", "keys", "list", accountId)).stdout).toContain("revoked");
  });

  it("are shown with a warning to store them", async () => {
    const { id } = await runJson(account, "accounts", "create", "Warned");
    const { stdout } = await run("accounts", "keys", "create", id);
    expect(stdout).toMatch(/\n {2}atl_live_\w{36}\n\nIt is shown only once/);
  });

  it("are not created without the pepper of the API", async () => {
    const { id } = await runJson(account, "accounts", "create", "Unpeppered");
    const outcome = await runWith({ DATABASE_URL: testDatabase.url }, [
      "accounts",
      "keys",
      "create",
      id,
    ]);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^KEY_PEPPER/) });
    expect((await run("accounts", "keys", "list", id)).stdout.trim().split("\n")).toHaveLength(1);
  });
});

describe("peppers", () => {
  it("says whether OLD_KEY_PEPPERS can be emptied", async () => {
    const created = await runJson(account, "accounts", "create", "Rotated");
    await runJson(key, "accounts", "keys", "create", created.id);
    const peppers = async (current: string, old: string) => {
      const environment = { DATABASE_URL: testDatabase.url, KEY_PEPPER: current };
      return (await runWith({ ...environment, OLD_KEY_PEPPERS: old }, ["peppers"])).stdout;
    };
    const newPepper = "another pepper of thirty-two characters";
    expect(await peppers(pepper, "")).toContain("OLD_KEY_PEPPERS can be emptied");
    expect(await peppers(newPepper, pepper)).toContain("Keep OLD_KEY_PEPPERS.");
    expect(await peppers(newPepper, "")).toContain("Add the value that is not configured");
  });
});

describe("costs", () => {
  const nothing = { calls: 0, revenue_eur: "0.00", known_cost_eur: "0.00", margin_eur: "0.00" };

  it("reports the costs of a range of days as JSON", async () => {
    const days = ["--from", "2026-11-01", "--to", "2026-11-30"];
    const { stdout } = await run("costs", "--group-by", "day", ...days, "--json");
    const report = { from: "2026-11-01", to: "2026-11-30", group_by: "day", groups: [] };
    expect(JSON.parse(stdout)).toMatchObject({ ...report, total: nothing });
  });

  it("reports the last 30 days by model as a table", async () => {
    const { code, stdout } = await run("costs");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^MODEL +CALLS +IMAGES +REVENUE +COST +MARGIN/m);
  });

  it("refuses an unknown group and an invalid day", async () => {
    expect((await run("costs", "--group-by", "colour")).stderr).toContain("model, day, account");
    expect((await run("costs", "--from", "yesterday")).stderr).toContain("such as 2026-11-30");
  });
});

describe("studio-link", () => {
  it("creates a link that signs in with the caller's key once", async () => {
    const { id } = await runJson(account, "accounts", "create", "Linked");
    const { api_key } = await runJson(key, "accounts", "keys", "create", id);
    const environment = {
      DATABASE_URL: testDatabase.url,
      KEY_PEPPER: pepper,
      ATELIER_URL: "https://atelier.example/",
      ATELIER_API_KEY: api_key,
    };
    const { code, stdout } = await runWith(environment, ["studio-link", "--json"]);
    const { studio_url } = z.object({ studio_url: z.string() }).parse(JSON.parse(stdout));
    const [address, link = ""] = studio_url.split("#link=");
    expect([code, address]).toEqual([0, "https://atelier.example/studio/"]);
    expect(await redeemStudioLink(database, { link, peppers: [pepper] })).toBe(api_key);
    expect(await redeemStudioLink(database, { link, peppers: [pepper] })).toBeNull();

    const prose = await runWith(environment, ["studio-link"]);
    expect(prose.stdout).toMatch(
      /^https:\/\/atelier\.example\/studio\/#link=[\w-]+\n\nIt signs in to Studio once/,
    );
    expect(prose.stdout).not.toContain(api_key);
  });

  it("refuses a key of another installation, or a missing pepper", async () => {
    const service = ["--url", "http://x.test", "--key", "atl_live_other"];
    expect(await run("studio-link", ...service)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The API key is not valid in this database\./),
    });
    const withoutPepper = await runWith({ DATABASE_URL: testDatabase.url }, [
      "studio-link",
      ...service,
    ]);
    expect(withoutPepper).toMatchObject({ code: 1, stderr: expect.stringMatching(/^KEY_PEPPER/) });
  });
});

it("prints its version", async () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
  expect(await run("--version")).toEqual({ code: 0, stdout: version, stderr: "" });
});

describe("errors", () => {
  it("report an unknown account in one line", async () => {
    const accountNotFound = {
      code: 1,
      stdout: "",
      stderr: `Account ${unknownId} does not exist.\n`,
    };
    expect(await run("accounts", "top-up", unknownId, "1", "--reference", "none")).toEqual(
      accountNotFound,
    );
    expect(await run("accounts", "keys", "create", unknownId)).toEqual(accountNotFound);
  });

  it("in the command line have the exit code 2", async () => {
    expect(await run("accounts", "show", "1")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: command-argument value '1' is invalid for argument 'account-id'. It must be a UUID.\n",
    });
  });

  it("report an unreachable database", async () => {
    const outcome = await runWith({ DATABASE_URL: "postgres://127.0.0.1:1/atelier" }, [
      "accounts",
      "list",
    ]);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: "The database is unreachable: connect ECONNREFUSED 127.0.0.1:1\n",
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
    const created = await runWith({ ATELIER_HOME: home }, [
      "accounts",
      "create",
      "Local",
      "--json",
    ]);
    const { id } = account.parse(JSON.parse(created.stdout));
    const { stdout } = await runWith({ ATELIER_HOME: home }, [
      "accounts",
      "keys",
      "create",
      id,
      "--json",
    ]);
    const { api_key } = key.parse(JSON.parse(stdout));
    expect(await authenticate(database, api_key, [pepper])).toMatchObject({ accountId: id });
  });

  it("the error says what to do if there is no installation", async () => {
    const outcome = await runWith({ ATELIER_HOME: "/nowhere" }, ["accounts", "list"]);
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "No database found: no service is running in /nowhere. " +
        "Run npm start, or set DATABASE_URL and KEY_PEPPER.\n",
    });
  });
});
