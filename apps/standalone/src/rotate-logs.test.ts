import { mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rotateLog } from "./rotate-logs.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-logs-"));
  path = join(folder, "api.log");
});

afterEach(() => rm(folder, { recursive: true }));

it("keeps the newest four copies of a log that programs go on writing to", async () => {
  await using log = await open(path, "a");
  for (let number = 1; number <= 6; number++) {
    await log.write(`log ${number}\n`);
    await rotateLog(path, 3);
  }
  await log.write("now\n");
  expect((await readdir(folder)).toSorted()).toEqual([
    "api.log",
    "api.log.1",
    "api.log.2",
    "api.log.3",
    "api.log.4",
  ]);
  expect(await readFile(path, "utf8")).toBe("now\n");
  expect(await readFile(`${path}.1`, "utf8")).toBe("log 6\n");
  expect(await readFile(`${path}.4`, "utf8")).toBe("log 3\n");
});

it("keeps all earlier copies when the log cannot be copied", async () => {
  await writeFile(path, "a long log");
  for (const number of [1, 2, 3, 4]) await writeFile(`${path}.${number}`, `log ${number}`);
  // Writing the copy fails, as on a full disk.
  await symlink(join(folder, "missing", "log"), `${path}.new`);
  await expect(rotateLog(path, 3)).rejects.toThrow("ENOENT");
  for (const number of [1, 2, 3, 4]) {
    expect(await readFile(`${path}.${number}`, "utf8")).toBe(`log ${number}`);
  }
  expect(await readFile(path, "utf8")).toBe("a long log");
  expect(await readdir(folder)).not.toContain("api.log.new");
});

it("leaves short and missing logs as they are", async () => {
  await rotateLog(path, 3);
  await writeFile(path, "abc");
  await rotateLog(path, 3);
  expect(await readdir(folder)).toEqual(["api.log"]);
});
