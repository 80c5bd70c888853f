import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { fillHistory } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { runInTest } from "./testing/run-in-test.ts";

let database: Database;
let url: string;
let home: string;
let close: () => Promise<void>;
let accountId: string;
let jobId: string;
let renderId: string;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  ({ url } = testDatabase);
  database = createDatabase({ url, poolSize: 3, applicationName: "test" });
  home = await mkdtemp(join(tmpdir(), "atelier-find-"));
  close = async () => {
    await database.close();
    await testDatabase.drop();
    await rm(home, { recursive: true });
  };
  [accountId = ""] = await fillHistory(database, { accounts: 1, generations: 2 });
  const [job] = await database.query<{ id: string; renderId: string }>(
    `SELECT generation.id, render.id AS "renderId" FROM generation JOIN render ON generation_id = generation.id
      ORDER BY generation.id DESC LIMIT 1`,
  );
  ({ id: jobId, renderId } = job ?? { id: "", renderId: "" });
});

afterAll(() => close());

const run = (args: readonly string[], isTTY: boolean | "both" = false) =>
  runInTest(args, { DATABASE_URL: url, ATELIER_HOME: home }, isTTY);

it("find leads from a file to its account and job, and says how it was recognised", async () => {
  const picture = join(home, "picture.png");
  const bytes = await sharp({
    create: { width: 64, height: 64, channels: 3, background: "#246" },
  })
    .png()
    .toBuffer();
  await writeFile(picture, bytes);
  const unknown = await run(["find", "--file", picture]);
  expect(unknown).toMatchObject({ code: 1, stderr: "" });
  expect(unknown.stdout).toContain("Nothing is known of it here.");

  await database.query("INSERT INTO mark (render_id, model) VALUES ($1, 'm')", [renderId]);
  await database.query("INSERT INTO mark_file (sha256, render_id, format) VALUES ($1, $2, 'png')", [
    createHash("sha256").update(bytes).digest("hex"),
    renderId,
  ]);
  const { code, stdout } = await run(["find", "--file", picture]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Recognised by: hash$/m);
  expect(stdout).toMatch(new RegExp(`^Job +${jobId}$`, "m"));
  expect(stdout).toMatch(new RegExp(`^Account +${accountId} history \\(active\\)$`, "m"));
  expect(stdout).toMatch(/^Charged +0\.01 EUR$/m);
  const { stdout: json } = await run(["find", "--file", picture, "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    recognised_by: ["hash"],
    jobs: [{ id: jobId, account: { id: accountId }, charged_eur: "0.01" }],
    archived: null,
  });
});

it("find takes one clue, and reads times in UTC", async () => {
  expect(await run(["find"])).toMatchObject({ code: 2 });
  expect(await run(["find", "--job", jobId, "--hash", "0".repeat(64)])).toMatchObject({ code: 2 });
  expect(await run(["find", "--text", "lighthouse"])).toMatchObject({ code: 2 });
  expect(await run(["find", "--from", "yesterday"])).toMatchObject({ code: 2 });
  const { stdout } = await run(["find", "--from", "2020-01-01", "--text", "lighthouse", "--json"]);
  expect(JSON.parse(stdout).jobs).toHaveLength(2);
  const before = await run(["find", "--from", "2020-01-01T00:00", "--to", "2020-02-01", "--json"]);
  expect(before.code).toBe(1);
});

it("jobs explain shows a time line, with colours on a terminal only", async () => {
  const piped = await run(["jobs", "explain", jobId]);
  expect(piped).toMatchObject({ code: 0, stderr: "" });
  expect(piped.stdout).toMatch(/^TIME +AFTER +IMAGE +EVENT +DETAILS\n/);
  expect(piped.stdout).toMatch(/^\S+Z +0\.000 s +job accepted +account=/m);
  expect(piped.stdout).not.toContain("\u001b");
  const shown = await run(["jobs", "explain", jobId], "both");
  expect(shown.stdout).toContain("\u001b[32mjob completed\u001b[0m");
  const { stdout } = await run(["jobs", "explain", jobId, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ job_id: jobId, events: expect.any(Array) });
  const unknown = await run(["jobs", "explain", "01890000-0000-7000-8000-000000000000"]);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("does not exist") });
});
