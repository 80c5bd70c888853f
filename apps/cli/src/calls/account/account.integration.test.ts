import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../../exit-codes.ts";
import { runInTest } from "../../testing/run-in-test.ts";

let stack: Stack;
let account: TestAccount;
let directory: string;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount("20");
  directory = await mkdtemp(join(tmpdir(), "atelier-account-"));
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

async function runWith(key: string, ...args: string[]) {
  return runInTest(args, { ATELIER_URL: stack.url, ATELIER_API_KEY: key, ATELIER_HOME: directory });
}

const command = (...args: string[]) => runWith(account.key, ...args);

async function json<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await command(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Result;
}

interface Key {
  readonly id: string;
  readonly key: string;
}

describe("keys", () => {
  it("are created with limits, listed, changed, rotated and revoked", async () => {
    const limits = ["--scopes", "generate,read", "--budget", "2", "--period", "month"];
    const models = ["--models", "fake-blind", "--expires", "2999-01-01"];
    const created = await json<Key>("keys", "create", "laptop", ...limits, ...models);
    expect(created).toMatchObject({
      name: "laptop",
      scopes: ["generate", "read"],
      models: ["fake-blind"],
      budget: { eur: "2.00", period: "month" },
      expires_at: "2999-01-01T00:00:00.000Z",
    });
    expect((await command("keys")).stdout).toContain("2.00 EUR a month");
    expect(await json<Key>("keys", "create", "CI", "--mode", "test")).toMatchObject({
      mode: "test",
      key: expect.stringMatching(/^atl_test_/),
    });

    const changes = ["--name", "desk", "--no-models", "--no-budget", "--no-expires"];
    expect(await json("keys", "update", created.id, ...changes)).toMatchObject({
      name: "desk",
      scopes: ["generate", "read"],
      models: null,
      budget: null,
      expires_at: null,
    });
    expect(await command("keys", "update", created.id)).toMatchObject({ code: exitCodes.usage });

    const rotated = await json<Key>("keys", "rotate", created.id);
    expect(rotated.key).not.toBe(created.key);
    expect((await runWith(created.key, "balance")).code).toBe(exitCodes.notAuthorized);
    expect((await runWith(rotated.key, "balance")).code).toBe(0);
    await command("keys", "revoke", created.id);
    expect((await runWith(rotated.key, "balance")).code).toBe(exitCodes.notAuthorized);
  });
});

describe("money", () => {
  it("quote, usage and transactions agree on the price of an image", async () => {
    const file = join(directory, "fox.json");
    const request = { model: "fake-blind", prompt: "a fox" };
    await writeFile(file, JSON.stringify(request));
    const quoted = await json<{ price_eur: string }>("quote", "image", file);
    expect(quoted).toMatchObject({ price_eur: "0.05", affordable: true, renders: 1 });
    expect((await command("quote", "image", file)).stdout).toContain("Price       0.05 EUR");
    await command("generate", "a fox", "-m", "fake-blind", "-o", join(directory, "fox.png"));
    const report = await json<{ total: object }>("usage", "--by", "model");
    expect(report.total).toEqual({ jobs: 1, images: 1, failed: 0, cost_eur: quoted.price_eur });
    expect((await command("usage")).stdout).toMatch(/^total +1 +1 +0 +0\.05$/m);
    const page = await json<{ transactions: object[] }>("transactions", "--limit", "1");
    expect(page.transactions).toMatchObject([{ kind: "charge", amount_eur: "-0.05" }]);
  });
});

describe("account", () => {
  it("is changed and shown", async () => {
    const settings = ["--strictness", "liberal", "--retention-hours", "12", "--low-balance", "5"];
    await json("account", "update", ...settings, "--language", "de", "--keep-starred", "yes");
    expect((await command("account")).stdout).toMatch(/alert below 5.00 EUR\n.*Language +de$/m);
    expect((await command("account")).stdout).toMatch(/Starred jobs +kept$/m);
    const restored = ["--no-retention-hours", "--no-low-balance", "--no-language"];
    expect(await json("account", "update", ...restored, "--keep-starred", "no")).toMatchObject({
      keep_starred: false,
      strictness: "liberal",
      retention_hours: 24,
      low_balance_eur: null,
      language: null,
    });
    expect((await command("account", "update")).code).toBe(exitCodes.usage);
  });

  it("is exported completely into a private file", async () => {
    const file = join(directory, "account.jsonl");
    expect(await json("account", "export", "-o", file)).toMatchObject({ file });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ type: "end", lines: lines.length - 1 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe("skills download", () => {
  it("puts a limited key into the file, or the caller's own one on request", async () => {
    const file = join(directory, "skill.md");
    const download = ["skills", "download", "image-generation", "-f", "agents-md", "-o", file];
    await command(...download);
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(account.key);
    const { keys } = await json<{ keys: object[] }>("keys", "list");
    expect(keys[0]).toMatchObject({
      name: "Skill file image-generation",
      scopes: ["generate"],
      budget: { eur: "2.00", period: "total" },
    });
    const [limited = ""] = /atl_live_\w+/.exec(text) ?? [];
    const refused = await runWith(limited, ...download);
    expect(refused.code).toBe(exitCodes.usage);
    expect(refused.stderr).toContain("--own-key");
    expect((await runWith(limited, ...download, "--own-key")).code).toBe(0);
    expect(await readFile(file, "utf8")).toContain(limited);
  });
});
