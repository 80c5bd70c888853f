import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restore } from "./restore.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-restore-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const content = "anything";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const file = { size: content.length, sha256: sha256(content) };

/** Writes a backup whose hashes are right, as anybody can. */
async function writeBackup(lines: readonly string[], folders: readonly string[] = [""]) {
  const folder = join(directory, "given", "backup");
  await mkdir(folder, { recursive: true });
  const list = lines.map((line) => `${line}\n`).join("");
  await writeFile(join(folder, "files.jsonl"), list);
  const manifest = {
    format: 1,
    version: "0.2.0",
    created_at: new Date().toISOString(),
    installation: "home",
    postgres: { method: "files", version: 18, migrations: [], uid: 0, gid: 0, folders },
    secrets: [],
    images: null,
    files_sha256: sha256(list),
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

/** Restores the files of Postgres and the secrets, and returns the error. */
async function errorOf(folder: string): Promise<string> {
  const target = join(directory, "restored");
  const flags = { postgresData: join(target, "data"), secrets: join(target, "secrets") };
  const error = await restore({}, folder, flags, () => undefined).catch(
    (caught: unknown) => caught,
  );
  return error instanceof Error ? error.message : "no error";
}

/** Names of all files and folders but those of the backup, with the rights of the one that is attacked. */
async function listing(): Promise<unknown> {
  const names = await readdir(directory, { recursive: true });
  const { mode } = await stat(join(directory, "victim"));
  return { names: names.filter((name) => !name.startsWith("given")).toSorted(), mode };
}

describe("a restore writes nothing when the backup names", () => {
  it.each([
    ["a secret outside of its folder", "secrets/../victim"],
    ["a secret far outside of it", "secrets/../../../victim"],
    ["a file of Postgres outside of its folder", "postgres/../../victim"],
    ["an image outside of the storage", "images/../../victim"],
    ["an absolute path", "/victim"],
    ["a path with an empty part", "secrets//victim"],
    ["a path of another system", "secrets\\..\\victim"],
    ["a line break", "secrets/a\nb"],
    ["an unknown folder", "elsewhere/victim"],
  ])("%s", async (_, path) => {
    await writeFile(join(directory, "victim"), content);
    await chmod(join(directory, "victim"), 0o600);
    const folder = await writeBackup([
      JSON.stringify({ path: "secrets/first", ...file }),
      JSON.stringify({ path, ...file }),
    ]);
    // What the path names exists in the backup, so that the copy would succeed.
    for (const name of ["secrets/first", path]) {
      const source = join(folder, name);
      if (!source.startsWith(directory)) continue;
      await mkdir(dirname(source), { recursive: true });
      await writeFile(source, content);
    }
    const before = await listing();
    expect(await errorOf(folder)).toMatch(/files\.jsonl, line 2: path must be/);
    expect(await listing()).toEqual(before);
  });

  it.each(["..", "../victim-folder", "base/../../victim-folder", "/victim-folder"])(
    "the folder %s of Postgres",
    async (path) => {
      await writeFile(join(directory, "victim"), content);
      const folder = await writeBackup([], ["", path]);
      const before = await listing();
      expect(await errorOf(folder)).toMatch(/manifest\.json: postgres\.folders/);
      expect(await listing()).toEqual(before);
    },
  );

  it.each(["", "not JSON", "[]", '{"path":"secrets/first"}'])("the line %j", async (line) => {
    await writeFile(join(directory, "victim"), content);
    const folder = await writeBackup([line]);
    const before = await listing();
    expect(await errorOf(folder)).toMatch(/files\.jsonl, line 1: /);
    expect(await listing()).toEqual(before);
  });
});

it("finds a wrong place of erasures before it verifies and copies the database of a home", async () => {
  const folder = await writeBackup([]);
  const remarks: string[] = [];
  const restoring = (environment: Record<string, string>) =>
    restore(
      { ATELIER_HOME: join(directory, "home"), ...environment },
      folder,
      { erasures: join(directory, "elsewhere") },
      (line) => remarks.push(line),
    );
  await expect(restoring({})).rejects.toThrow(/STORAGE_URL is required to erase accounts/);
  const storage = { STORAGE_URL: pathToFileURL(join(directory, "storage")).href };
  await expect(restoring(storage)).rejects.toThrow(/elsewhere has no records of erasures/);
  expect(remarks).toEqual([]);
});

it("removes the leftovers of an interrupted restore, and nothing else of a home", async () => {
  const path = "secrets/secrets.json";
  const folder = await writeBackup([JSON.stringify({ path, ...file })]);
  await mkdir(join(folder, "secrets"));
  await writeFile(join(folder, path), content);
  const home = join(directory, "home");
  await mkdir(join(home, ".restoring-abc", "postgres"), { recursive: true });
  await writeFile(join(home, "other"), content);
  const restoring = () => restore({ ATELIER_HOME: home }, folder, {}, () => undefined);
  await expect(restoring()).rejects.toThrow("is not empty");
  expect(await readdir(home)).toEqual([".restoring-abc", "other"]);
  await rm(join(home, "other"));
  // Fails later, because the secrets of this backup are not JSON.
  await expect(restoring()).rejects.toThrow("not valid JSON");
  expect(await readdir(home)).toEqual([]);
});

it("restores files and folders inside of the backup", async () => {
  const folder = await writeBackup(
    [
      JSON.stringify({ path: "postgres/base/1/2608_fsm", ...file }),
      JSON.stringify({ path: "secrets/certificates/chain.pem", ...file }),
    ],
    ["", "base", "base/1", "pg_wal"],
  );
  for (const name of ["postgres/base/1/2608_fsm", "secrets/certificates/chain.pem"]) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  expect(await errorOf(folder)).toBe("no error");
  const names = await readdir(join(directory, "restored"), { recursive: true });
  expect(names).toEqual(
    expect.arrayContaining([
      "data/base/1/2608_fsm",
      "data/pg_wal",
      "secrets/certificates/chain.pem",
    ]),
  );
});
