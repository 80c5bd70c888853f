import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig, serviceVariables } from "@atelier/configuration";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { makeSecrets } from "./installation-secrets.ts";

let directory: string;
let folder: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-secrets-"));
  folder = join(directory, "secrets");
});

afterEach(() => rm(directory, { recursive: true }));

const origin = "https://images.example.com";

it("creates every secret of docker-compose.yml in a folder without access for others", async () => {
  await makeSecrets(folder, origin);
  const compose = new URL("../../../docker-compose.yml", import.meta.url);
  const { secrets } = parse(await readFile(compose, "utf8"), { merge: true }) as {
    secrets: Record<string, { file: string }>;
  };
  const wanted = Object.values(secrets).map(({ file }) => file.replace(/^deploy.*\//, ""));
  expect(new Set(await readdir(folder))).toEqual(new Set(wanted));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

it("removes access for others from an existing folder", async () => {
  await mkdir(folder);
  await chmod(folder, 0o755);
  await makeSecrets(folder, origin);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

it("creates values that the programs accept", async () => {
  await makeSecrets(folder, origin);
  const names = ["DATABASE_URL", "QUEUE_URL", "STORAGE_URL", "URL_SIGNING_SECRET", "KEY_PEPPER"];
  const files = names.map((name) => [`${name}_FILE`, join(folder, name.toLowerCase())]);
  const environment = { ...Object.fromEntries(files), PUBLIC_URL: "http://localhost:3000" };
  const config = parseConfig(z.object(serviceVariables), environment);
  expect(new URL(config.STORAGE_URL).searchParams.get("public")).toBe(origin);
  const password = await readFile(join(folder, "database_password"), "utf8");
  expect(new URL(config.DATABASE_URL).password).toBe(password.trim());
  const valkey = await readFile(join(folder, "valkey_config"), "utf8");
  expect(valkey).toBe(`requirepass ${new URL(config.QUEUE_URL ?? "").password}\n`);
});

it("keeps existing files, and creates nothing that does not match them", async () => {
  await makeSecrets(folder, origin);
  const read = () => readFile(join(folder, "key_pepper"), "utf8");
  const first = await read();
  await rm(join(folder, "admin_key"));
  expect((await makeSecrets(folder, origin)).json).toEqual({ folder, made: ["admin_key"] });
  expect(await read()).toBe(first);
  await rm(join(folder, "database_password"));
  await expect(makeSecrets(folder, origin)).rejects.toThrow(
    "database_password, database_url belong together",
  );
  expect(await readdir(folder)).not.toContain("database_password");
});
