import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { auditOperatorLog, readOperatorLog } from "@atelier/audit";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createProgram } from "../program.ts";
import { runInTest } from "../testing/run-in-test.ts";
import { operatorCommands } from "./operator-commands.ts";
import { pathOf } from "./record-commands.ts";

const key = "a key of the operator log with 32 characters";

let database: Database;
let environment: Record<string, string>;
let directory: string;
let close: () => Promise<void>;
let accountId: string;
let jobId: string;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const { url } = testDatabase;
  database = createDatabase({ url, poolSize: 3, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-operators-"));
  const storage = await createStorage({
    url: pathToFileURL(join(directory, "files")).href,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  environment = {
    DATABASE_URL: url,
    STORAGE_URL: pathToFileURL(join(directory, "files")).href,
    KEY_PEPPER: "a pepper of thirty-two characters",
    OPERATOR_LOG_KEY: key,
    ATELIER_HOME: join(directory, "home"),
  };
  close = async () => {
    await storage.close();
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true, force: true });
  };
  [accountId = ""] = await fillHistory(database, { accounts: 1, generations: 1 });
  const [job] = await database.query<{ id: string }>("SELECT id FROM generation");
  jobId = job?.id ?? "";
});

afterAll(() => close());

const run = (args: readonly string[]) => runInTest(args, environment);

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

it("the table has exactly the commands of operators", () => {
  const nothing = async () => undefined;
  const runners = { call: nothing, withDatabase: nothing, withEnvironment: nothing };
  const program = createProgram({ ...runners, record: nothing, readSettings: () => ({}) }, {});
  const all = new Set(leaves(program).map(pathOf));
  expect(Object.keys(operatorCommands).filter((path) => !all.has(path))).toEqual([]);
});

/** Makes the migration pending that creates the last index, which exists. */
const unapply = () =>
  database.query(
    "DELETE FROM _prisma_migrations WHERE migration_name = '20261130040100_external_id_index'",
  );

/** Commands that a test of backups runs, which needs the tools of Postgres. */
const runElsewhere = new Set(["backup", "restore"]);

describe("commands that read", () => {
  const examples = (): Record<string, readonly string[]> => ({
    "accounts list": [],
    "accounts show": [accountId],
    "accounts statement": [accountId],
    "accounts keys list": [accountId],
    find: ["--job", jobId],
    "jobs explain": [jobId],
    "operator-log": [],
    peppers: [],
    costs: [],
    backfills: [],
    doctor: [],
    verify: [join(directory, "picture.svg")],
  });

  it("write nothing, neither to the operator log nor elsewhere", async () => {
    await writeFile(join(directory, "picture.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const reading = Object.entries(operatorCommands)
      .filter(([path, recording]) => recording === "reads" && !runElsewhere.has(path))
      .map(([path]) => path);
    expect(Object.keys(examples()).sort()).toEqual(reading.sort());
    const name = new URL(environment["DATABASE_URL"] ?? "").pathname.slice(1);
    await database.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    try {
      const commands = Object.entries(examples()).map(([path, args]) => [
        ...path.split(" "),
        ...args,
      ]);
      commands.push(["archive", "--list"]);
      for (const command of commands) {
        expect({ command, ...(await run(command)) }).not.toMatchObject({
          stderr: expect.stringContaining("read-only"),
        });
      }
    } finally {
      await database.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    }
    await run(["audit"]);
    expect(await database.query("SELECT FROM operator_log")).toEqual([]);
  });
});

describe("commands that write", () => {
  it("are each recorded, with their target and the names of what they change", async () => {
    const created = await run(["accounts", "create", "Marzipan Ltd", "--json"]);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const keyOf = async () => {
      const { stdout } = await run(["accounts", "keys", "create", id, "--name", "site", "--json"]);
      return JSON.parse(stdout) as { id: string; api_key: string };
    };
    const { id: keyId, api_key: apiKey } = await keyOf();
    await writeFile(join(directory, "accounts.csv"), "external_id,name\nC-7,Fudge Ltd\n");
    const shareId = newId();
    const token = "Zk3vT9q1Yc0xR7mLb2WnAg";
    await database.query(
      `INSERT INTO share (id, account_id, key_id, mode, generation_id, hash, expires_at)
       VALUES ($1, $2, $3, 'live', $4, sha256($5::bytea), now() + interval '1 day')`,
      [shareId, id, keyId, jobId, token],
    );
    const examples: Record<string, readonly string[] | null> = {
      // Run above.
      "accounts create": null,
      "accounts keys create": null,
      "accounts import": [join(directory, "accounts.csv")],
      "accounts top-up": [id, "3", "--reference", "invoice 7"],
      "accounts withdraw": [id, "1", "--reference", "payment 7"],
      "accounts refund": [jobId, "--reference", "complaint 7"],
      "accounts strictness": [id, "liberal"],
      "shares remove": [`https://images.example.com/s/${token}`],
      "studio-link": ["--url", "http://localhost:1", "--key", apiKey],
      "accounts suspend": [id],
      "accounts resume": [id],
      "accounts keys revoke": [keyId],
      audit: ["--repair"],
      archive: ["--before", "2020-01"],
      "registry-fill": [],
      "backup-done": [],
      "operator-log-key": ["lost"],
      migrate: [],
      "accounts erase": [id, "--yes"],
      "accounts repeat-erasures": ["--yes"],
      "after-restore": [],
    };
    const writing = Object.entries(operatorCommands)
      .filter(([path, recording]) => typeof recording !== "string" && !runElsewhere.has(path))
      .map(([path]) => path);
    expect(Object.keys(examples).sort()).toEqual(writing.sort());
    for (const [path, args] of Object.entries(examples)) {
      if (args === null) continue;
      const before = await readAll();
      if (path === "migrate") await unapply();
      await run([...path.split(" "), ...args]);
      const added = (await readAll()).slice(before.length);
      const action = path === "after-restore" ? "restore" : path;
      expect({ path, added }).toMatchObject({ path, added: [{ action, isSealed: true }] });
    }
    const lines = await readAll();
    const line = (action: string) => lines.find((one) => one.action === action);
    expect(line("accounts create")).toMatchObject({
      targetId: id,
      fields: ["name", "strictness"],
      // Erased with the account.
      values: null,
    });
    expect(line("accounts top-up")).toMatchObject({ targetId: id, fields: ["balance"] });
    expect(line("accounts keys revoke")).toMatchObject({ targetId: keyId });
    const [job] = await database.query<{ accountId: string }>(
      `SELECT account_id AS "accountId" FROM generation WHERE id = $1`,
      [jobId],
    );
    expect(line("accounts refund")).toMatchObject({
      targetId: job?.accountId,
      fields: ["balance", "refund", `job ${jobId}`],
    });
    expect(line("shares remove")).toMatchObject({ targetId: shareId, fields: ["share"] });
    const again = await run(["shares", "remove", shareId]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("no such share") });
    expect((await run(["shares", "remove", token])).stderr).toContain("must be a link");
    expect(line("accounts create")?.actor).toMatch(/^cli:\S+$/);
    expect(await auditOperatorLog(database, [key], [])).toMatchObject({ violations: 0 });
  });

  it("are recorded with the settings of the file of settings, which is reported once", async () => {
    const file = join(directory, "settings");
    const settings = Object.entries(environment).map(([name, value]) => `${name}="${value}"\n`);
    await writeFile(file, settings.join(""));
    const { id } = JSON.parse((await run(["accounts", "create", "Toffee", "--json"])).stdout) as {
      id: string;
    };
    const commands = [["accounts", "create", "Fudge"], ["accounts", "suspend", id], ["migrate"]];
    for (const command of commands) {
      const before = await readAll();
      if (command.includes("migrate")) await unapply();
      const { code, stderr } = await runInTest(command, { ATELIER_ENV_FILE: file });
      const added = (await readAll()).slice(before.length).map(({ isSealed }) => isSealed);
      expect({ command, code, stderr: stderr.split("\n"), added }).toEqual({
        command,
        code: 0,
        stderr: [expect.stringMatching(/^Settings of /), ""],
        added: [true],
      });
    }
  });

  it("do nothing without the key of the log, except that a migration runs and says that it has no line", async () => {
    const { OPERATOR_LOG_KEY: _, ...rest } = environment;
    const { id } = JSON.parse((await run(["accounts", "create", "Nut", "--json"])).stdout) as {
      id: string;
    };
    const before = await readAll();
    const refused = [
      ["accounts", "suspend", id],
      ["accounts", "create", "Brittle"],
    ];
    for (const command of refused) {
      const { code, stderr } = await runInTest(command, rest);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("OPERATOR_LOG_KEY, which is not set"),
      });
    }
    const changed = await database.query(
      "SELECT FROM account WHERE name = 'Brittle' OR id = $1 AND suspended_at IS NOT NULL",
      [id],
    );
    expect(changed).toEqual([]);
    await unapply();
    expect(await runInTest(["migrate"], rest)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^20261130040100_external_id_index\n.* no line .*not set/),
    });
    expect((await runInTest(["migrate"], rest)).stdout).toBe("The database is up to date.\n");
    await run(["migrate"]);
    expect(await readAll()).toEqual(before);
  });

  it("say to migrate first when the database has no operator log", async () => {
    const old = await createTestDatabase(inject("postgresUrl"));
    const before = createDatabase({ url: old.url, poolSize: 1, applicationName: "test" });
    await before.query("DROP TABLE operator_log, operator_log_values");
    await before.close();
    const { code, stderr } = await runInTest(["accounts", "suspend", newId()], {
      ...environment,
      DATABASE_URL: old.url,
    });
    await old.drop();
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Run migrate"),
    });
  });
});

describe("operator-log", () => {
  it("prints lines, also as lines of JSON, and the head that the audit compares", async () => {
    const { id } = JSON.parse((await run(["accounts", "create", "Nougat", "--json"])).stdout) as {
      id: string;
    };
    const { stdout } = await run(["operator-log", "--target", id]);
    expect(stdout).toMatch(
      new RegExp(`cli:\\S+ +accounts create +${id} +name, strictness +.*"Nougat"`),
    );
    const [, head = ""] = /^Head: (\S+)$/m.exec(stdout) ?? [];
    const { stdout: exported } = await run(["operator-log", "--json-lines"]);
    const lines = exported.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual(
      lines.map((_, index) => index + 1),
    );
    const audited = async (...args: string[]) =>
      (await run(["audit", ...args])).stdout.split("\n").find((line) => /operator log/.test(line));
    expect(await audited("--log-head", head)).toMatch(/^holds/);
    const later = `999:${"0".repeat(64)}`;
    expect(await audited("--log-head", head, later)).toMatch(/^BROKEN/);
  });
});

describe("operator-log-key", () => {
  it("begins a new key after a loss, which the audit notes, and rotates one", async () => {
    const own = await createTestDatabase(inject("postgresUrl"));
    const keyed = (logKey: string, old = "") => ({
      DATABASE_URL: own.url,
      ATELIER_HOME: join(directory, "home"),
      OPERATOR_LOG_KEY: logKey,
      OLD_OPERATOR_LOG_KEYS: old,
    });
    const keys = ["1", "2", "3"].map((digit) => digit.repeat(32));
    const [first = "", second = "", third = ""] = keys;
    const create = (variables: Record<string, string>) =>
      runInTest(["accounts", "create", "Praline"], variables);
    const audited = async (variables: Record<string, string>) =>
      (await runInTest(["audit"], variables)).stdout.match(
        /^(holds|BROKEN) .*operator log.*\n.*/m,
      )?.[0];
    await create(keyed(first));
    expect(await create(keyed(second))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("if it is lost, see docs/operations.md"),
    });
    const begin = (reason: string, variables: Record<string, string>) =>
      runInTest(["operator-log-key", reason], variables);
    expect(await begin("stolen", keyed(second))).toMatchObject({ code: 2 });
    expect(await begin("lost", keyed(""))).toMatchObject({ code: 2 });
    expect(await begin("rotated", keyed(second))).toMatchObject({ code: 1 });
    expect(await begin("lost", keyed(second))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/from line 2 on.*\n\nHead: 2:[0-9a-f]{64}\n/),
    });
    expect(await create(keyed(second))).toMatchObject({ code: 0 });
    expect(await audited(keyed(second))).toMatch(/^holds .*\n +Lines 1 to 1 .* cannot be checked/);
    expect((await begin("rotated", keyed(third, second))).code).toBe(0);
    expect(await audited(keyed(third, second))).toMatch(/^holds .*\n +Lines 1 to 1 /);
    expect(await audited(keyed(third))).toMatch(/^BROKEN/);
    await own.drop();
  });
});

const readAll = () => Array.fromAsync(readOperatorLog(database, {}));
