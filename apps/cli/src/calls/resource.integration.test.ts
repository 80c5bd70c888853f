import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import type { PresetList } from "@atelier/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount("20");
});

afterAll(() => stack.stop());

async function command(...args: string[]) {
  return runInTest(args, { ATELIER_URL: stack.url, ATELIER_API_KEY: account.key });
}

it("creates, renames, lists by pages and deletes collections", async () => {
  const { stdout } = await command("collections", "create", "Covers");
  const id = stdout.trim();
  await command("collections", "create", "Maps");
  expect((await command("collections", "rename", id, "Covers of May")).stdout).toMatch(
    /^Collection +\S+\nName +Covers of May\nJobs +0\nCreated +\S+\n$/,
  );
  const [heading = "", ...rows] = (await command("collections")).stdout.trim().split("\n");
  expect(heading.split(/ {2,}/)).toEqual(["ID", "NAME", "JOBS", "CREATED"]);
  expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual(["Maps", "Covers of May"]);

  const first = JSON.parse((await command("collections", "list", "--limit", "1", "--json")).stdout);
  const next = ["--cursor", first.next_cursor, "--json"];
  expect(JSON.parse((await command("collections", "list", ...next)).stdout)).toMatchObject({
    collections: [{ id, name: "Covers of May", jobs: 0 }],
    next_cursor: null,
  });
  expect(await command("collections", "delete", id)).toMatchObject({
    code: 0,
    stdout: `Deleted ${id}.\n`,
  });
  const again = await command("collections", "delete", id);
  expect(again.stderr).toContain("There is no collection with this id.");
  expect((await command("collections", "delete", "..")).stderr).toContain(
    'collectionId must be an id, but is "..".',
  );
});

it("saves, shows, lists and deletes presets", async () => {
  const file = join(tmpdir(), `preset-${account.accountId}.json`);
  await writeFile(file, JSON.stringify({ aspect_ratio: "3:4" }));
  const { stdout } = await command("presets", "save", "Cover", "image", file);
  const id = stdout.trim();
  const picture = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.alloc(8_180)]);
  await writeFile(`${file}.webp`, picture);
  const save = (path: string) => command("presets", "save", "Cover", "image", file, "-p", path);
  const saved = await save(`${file}.webp`);
  expect(saved.stdout.trim()).toBe(id);
  const listed = JSON.parse((await command("presets", "list", "--json")).stdout) as PresetList;
  expect(listed.presets[0]?.picture).toBe(picture.toString("base64"));
  expect((await save(file)).stderr).toContain("picture must be a WebP, JPEG or PNG file");
  await writeFile(`${file}.webp`, Buffer.concat([picture, Buffer.alloc(1)]));
  expect((await save(`${file}.webp`)).stderr).toContain("picture must have at most 8,192 bytes");
  expect(JSON.parse((await command("presets", "show", id)).stdout)).toEqual({
    aspect_ratio: "3:4",
  });
  const [, row = ""] = (await command("presets")).stdout.split("\n");
  expect(row.split(/ {2,}/).slice(0, 3)).toEqual([id, "Cover", "image"]);
  await command("presets", "delete", id);
  expect(JSON.parse((await command("presets", "list", "--json")).stdout)).toEqual({
    presets: [],
    next_cursor: null,
  });
});

it("creates, lists and stops shares", async () => {
  const shared = await stack.startApi({
    SHARES: "on",
    ABUSE_CONTACT: "abuse@example.com",
    PORT: "0",
    ADMIN_PORT: "0",
  });
  const share = (...args: string[]) =>
    runInTest(["shares", ...args], {
      ATELIER_URL: `http://127.0.0.1:${shared.ports.main}`,
      ATELIER_API_KEY: account.key,
    });
  const drawn = await command(
    "image",
    "--model",
    "builtin-illustrator",
    "a fox",
    "--json",
    "-o",
    tmpdir(),
  );
  const { id: jobId } = JSON.parse(drawn.stdout) as { id: string };
  const { stdout } = await share("create", jobId, "--days", "3", "--image", "0", "--keep");
  expect(stdout).toMatch(/\/s\/[\w-]{22}\n$/);
  const [heading = "", row = ""] = (await share()).stdout.split("\n");
  expect(heading.split(/ {2,}/)).toEqual(["ID", "JOB", "IMAGE", "KEPT", "ENDS"]);
  const [id = "", ...cells] = row.split(/ {2,}/);
  expect(cells).toEqual([jobId, "0", "yes", expect.stringMatching(/Z$/)]);
  expect(await share("delete", id)).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n` });
  expect((await share("create", jobId, "--days", "31")).stderr).toContain("days");
  expect((await command("shares", "create", jobId)).stderr).toContain("switched off");
  await shared.stop();
});

it("creates, lists, changes and deletes budgets, and puts a key into one", async () => {
  const { stdout } = await command("budgets", "create", "Design team", "100", "--period", "week");
  const id = stdout.trim();
  const made = await command("keys", "create", "website", "--shared-budget", id, "--json");
  const key = JSON.parse(made.stdout);
  expect(key.budget_id).toBe(id);
  const [heading = "", row = ""] = (await command("budgets")).stdout.split("\n");
  expect(heading.split(/ {2,}/).slice(0, 6)).toEqual([
    "ID",
    "NAME",
    "SPENT",
    "HELD",
    "BUDGET",
    "KEYS",
  ]);
  expect(row.split(/ {2,}/).slice(0, 6)).toEqual([
    id,
    "Design team",
    "0.00",
    "0.00",
    "100.00 EUR a week",
    "1",
  ]);
  expect((await command("budgets", "update", id)).stderr).toContain("Nothing to change.");
  expect((await command("budgets", "update", id, "--eur", "150")).stdout).toMatch(
    /Amount +150\.00 EUR a week/,
  );
  expect((await command("budgets", "delete", id)).stderr).toContain("has 1 key");
  await command("keys", "update", key.id, "--no-shared-budget");
  expect((await command("budgets", "delete", id)).stdout).toBe(`Deleted ${id}.\n`);
});
