import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrMakeSecrets } from "./secrets.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-secrets-"));
});

afterEach(() => rm(home, { recursive: true }));

describe("readOrMakeSecrets", () => {
  it("creates them once, readable only by the owner", async () => {
    const secrets = await readOrMakeSecrets(home);
    expect(await readOrMakeSecrets(home)).toEqual(secrets);
    expect((await stat(join(home, "secrets.json"))).mode & 0o777).toBe(0o600);
    expect(new Set(Object.values(secrets)).size).toBe(6);
  });

  it("creates different ones in another folder", async () => {
    await mkdir(join(home, "other"));
    const secrets = await readOrMakeSecrets(home);
    const others = await readOrMakeSecrets(join(home, "other"));
    expect(others.key_pepper).not.toBe(secrets.key_pepper);
  });

  it("refuses to create a new password for an existing database", async () => {
    const data = join(home, "postgres", "data");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "PG_VERSION"), "18\n");
    await expect(readOrMakeSecrets(home)).rejects.toThrow(/secrets\.json is missing/);
  });

  it("creates none in a home into which a restore was interrupted", async () => {
    await mkdir(join(home, ".restoring-abc"));
    await expect(readOrMakeSecrets(home)).rejects.toThrow(/runs or was interrupted/);
    expect(await readdir(home)).toEqual([".restoring-abc"]);
  });

  it("does not overwrite a damaged file", async () => {
    await writeFile(join(home, "secrets.json"), '{"database_pass');
    await expect(readOrMakeSecrets(home)).rejects.toThrow(/secrets\.json is damaged/);
    expect(await readFile(join(home, "secrets.json"), "utf8")).toBe('{"database_pass');
  });
});
