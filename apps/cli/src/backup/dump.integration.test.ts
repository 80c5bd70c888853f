import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createDatabaseFromTemplate,
  createTestDatabase,
  type TestDatabase,
} from "@atelier/local-services";
import { createDatabase } from "@atelier/database";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { run } from "../run.ts";

let testDatabase: TestDatabase;
let directory: string;
/** A role that may not copy the files of the server. */
let databaseUrl: string;
const role = `dump_${randomBytes(4).toString("hex")}`;
const password = "a password";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-dump-"));
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  await database.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await database.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  await database.close();
  const url = new URL(testDatabase.url);
  url.username = role;
  url.password = password;
  databaseUrl = url.href;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  await database.query(`DROP OWNED BY ${role}`);
  await database.query(`DROP ROLE ${role}`);
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Puts programs of this version on the PATH that record their arguments. */
async function installTools(version: string): Promise<void> {
  const folder = join(directory, `tools-${version}`);
  await mkdir(folder, { recursive: true });
  for (const tool of ["pg_dump", "pg_restore"]) {
    const script = `#!/bin/sh
[ "$1" = --version ] && { echo "${tool} (PostgreSQL) ${version}"; exit 0; }
echo "${tool} $PGPASSWORD $*" >> ${join(directory, "calls")}
for argument; do case "$argument" in --file=*) echo "a dump" > "\${argument#--file=}";; esac; done
`;
    await writeFile(join(folder, tool), script);
    await chmod(join(folder, tool), 0o755);
  }
  vi.stubEnv("PATH", [folder, process.env["PATH"]].join(delimiter));
}

async function atelier(environment: Record<string, string>, ...args: string[]) {
  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(args, {
    environment,
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  return { exitCode, output };
}

describe("backup of a database whose files are elsewhere", () => {
  it("refuses a pg_dump of another version than the server, and says which one it needs", async () => {
    await installTools("15.4");
    const result = await atelier({ DATABASE_URL: databaseUrl }, "backup", join(directory, "none"));
    expect(result).toEqual({
      exitCode: 1,
      output:
        "The server is Postgres 18, and pg_dump on the PATH is version 15. Put pg_dump of Postgres 18 first on the PATH.\n",
    });
  });

  it("dumps it without the queues, and passes the password only in the environment", async () => {
    await installTools("18.1");
    const secrets = join(directory, "secrets");
    await mkdir(secrets);
    await writeFile(join(secrets, "key_pepper"), "pepper");
    const folder = join(directory, "backup");
    const result = await atelier(
      { DATABASE_URL: databaseUrl },
      "backup",
      folder,
      "--secrets",
      secrets,
    );
    expect(result.output).toContain("with a dump and 0 images");
    expect(result.output).toContain("It contains secrets (key_pepper)");
    expect(await readFile(join(folder, "database.dump"), "utf8")).toBe("a dump\n");
    expect(await readFile(join(folder, "secrets/key_pepper"), "utf8")).toBe("pepper");
    const calls = await readFile(join(directory, "calls"), "utf8");
    expect(calls).toMatch(
      new RegExp(`^pg_dump ${password} --dbname=postgres://${role}@\\S+ .*--exclude-schema=bullmq`),
    );
  });

  it("restores the dump only into an empty database and with records that exist, migrates it and audits it", async () => {
    await installTools("18.1");
    const folder = join(directory, "backup");
    const full = await atelier({ DATABASE_URL: testDatabase.url }, "restore", folder);
    expect(full).toEqual({
      exitCode: 1,
      output: "The database of DATABASE_URL is not empty, and a restore replaces nothing.\n",
    });
    const empty = await createTestDatabase(inject("postgresUrl"));
    const name = new URL(empty.url).pathname.slice(1);
    await createDatabaseFromTemplate(inject("postgresUrl"), name, "template0");
    const before = await readFile(join(directory, "calls"), "utf8");
    const unknown = join(directory, "elsewhere");
    const args = ["restore", folder, "--erasures", unknown];
    expect((await atelier({ DATABASE_URL: empty.url }, ...args)).output).toMatch(
      /STORAGE_URL is required to erase accounts/,
    );
    const storage = { STORAGE_URL: pathToFileURL(join(directory, "storage")).href };
    expect((await atelier({ DATABASE_URL: empty.url, ...storage }, ...args)).output).toMatch(
      /elsewhere has no records of erasures/,
    );
    expect(await readFile(join(directory, "calls"), "utf8")).toBe(before);
    const restored = await atelier({ DATABASE_URL: empty.url }, "restore", folder);
    expect(restored.output).toContain("All invariants hold.");
    expect(restored.exitCode).toBe(0);
    expect(await readFile(join(directory, "calls"), "utf8")).toMatch(
      /pg_restore \S+ --dbname=\S+ --no-owner --single-transaction --exit-on-error \S+database\.dump/,
    );
    await empty.drop();
  });
});
