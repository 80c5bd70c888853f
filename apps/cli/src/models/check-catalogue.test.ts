import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-prices-"));
});
afterAll(() => rm(directory, { recursive: true }));

/** Checks the built-in catalogue against a list of one model. */
async function check(models: object, ...args: string[]) {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  const list = { currency: "USD", as_of: "2030-01-01", source: "a price page", models };
  await writeFile(file, JSON.stringify(list));
  return runInTest(["catalogue", "check", file, ...args], {});
}

it("succeeds when every listed price is covered, and names what the list lacks", async () => {
  const prices = { "ideogram:ideogram-v4": { "2K": "0.06" } };
  const { code, stdout } = await check(prices, "--eur-per-usd", "0.9");
  expect(code).toBe(0);
  expect(stdout).toMatch(/ideogram-4 +2K +0\.08 +0\.054 +32\.5 % +2026-11-24 +covered/);
  expect(stdout).toContain("Older than the list: ideogram-4");
  expect(stdout).toMatch(/Not in the list: .*flux-2-pro/);
});

it("fails when a model costs more than its price", async () => {
  const { code, stdout } = await check({ "ideogram-4": { "2K": "0.5" } }, "--eur-per-usd", "0.9");
  expect(code).toBe(1);
  expect(stdout).toContain("loss");
});

it("names a mistake in the list with its position", async () => {
  const { code, stderr } = await check({ "ideogram-4": { "2K": "free" } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/line 1, column \d+: models\.ideogram-4\.2K must be an amount/);
});
