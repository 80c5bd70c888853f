import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createAtelier, type Atelier } from "@atelier/client";
import { freePorts, startEmbeddedPostgres } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../src/run.ts";

const model = "builtin-pattern";

let directory: string;
let home: string;
let backup: string;
let service: Service | null = null;
/** A job that was completed before the backup. */
let jobId: string;

/** A running `npm start`. */
interface Service {
  readonly child: ChildProcess;
  readonly atelier: Atelier;
  readonly url: string;
  readonly key: string;
  stop(signal: NodeJS.Signals): Promise<void>;
}

async function start(): Promise<Service> {
  const [port] = await freePorts(1);
  const main = fileURLToPath(new URL("../../standalone/src/main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "--json"], {
    env: {
      PATH: process.env["PATH"],
      ATELIER_ENV_FILE: "/dev/null",
      ATELIER_HOME: home,
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const closed = once(child, "close");
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line") as Promise<[string]>,
    closed.then(() => Promise.reject(new Error(errors.join("\n")))),
  ]);
  const summary = JSON.parse(line) as { base_url: string; api_key: string; problem: string | null };
  expect(summary.problem).toBeNull();
  return {
    child,
    url: summary.base_url,
    key: summary.api_key,
    atelier: createAtelier({ baseUrl: summary.base_url, apiKey: summary.api_key }),
    async stop(signal) {
      child.kill(signal);
      await closed;
    },
  };
}

/** Runs a command on the installation. */
async function atelier(...args: string[]): Promise<{ exitCode: number; output: string }> {
  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(args, {
    environment: {
      ATELIER_HOME: home,
      PATH: process.env["PATH"],
      // Another one than that of the installation, also for the restore.
      OPERATOR_LOG_KEY: "a key of the operator log with 32 characters",
    },
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  return { exitCode, output };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-backup-"));
  // Postgres may run as another user.
  await chmod(directory, 0o755);
  home = join(directory, "home");
  backup = join(directory, "backup");
  service = await start();
  jobId = (await service.atelier.generateImage({ model, prompt: "waves" })).id;
});

afterAll(async () => {
  await service?.stop("SIGTERM");
  await rm(directory, { recursive: true, force: true });
});

describe("backup and restore of npm start", { timeout: 180_000 }, () => {
  it("backs up under load, into files that only their owner can read", async () => {
    expect(await atelier("accounts", "create", "Fudge")).toMatchObject({ exitCode: 0 });
    const loaded = service?.atelier;
    const backedUp = new AbortController();
    const load = [1, 2].map(async () => {
      let images = 0;
      for (; !backedUp.signal.aborted; images++)
        await loaded?.generateImage({ model, prompt: "load" });
      return images;
    });
    const { exitCode, output } = await atelier("backup", backup);
    backedUp.abort();
    const images = await Promise.all(load);
    expect(output).toMatch(/Backup complete .* with the files of Postgres and \d+ images/);
    expect(output).toContain("It contains secrets (secrets.json");
    expect(exitCode).toBe(0);
    expect(Math.min(...images)).toBeGreaterThan(0);
    const manifest = JSON.parse(await readFile(join(backup, "manifest.json"), "utf8")) as object;
    expect(manifest).toMatchObject({
      installation: "home",
      secrets: expect.arrayContaining(["secrets.json", "certificates/private-key.pem"]) as string[],
    });
    for (const name of await readdir(backup, { recursive: true })) {
      expect((await stat(join(backup, name))).mode & 0o077).toBe(0);
    }
  });

  it("refuses a folder that is not empty", async () => {
    const { exitCode, output } = await atelier("backup", backup);
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: `${backup} is not empty. Name a new folder for each backup.\n`,
    });
  });

  it("refuses to replace an installation", async () => {
    const { exitCode, output } = await atelier("restore", backup);
    expect(output).toContain(`${home} is not empty, and a restore replaces nothing.`);
    expect(exitCode).toBe(1);
  });

  it("restores on an empty machine, ends with a clean audit, and serves what was there", async () => {
    const lastEventId = await lastEvent(service!);
    const { jobs: earlier } = await service!.atelier.jobs.list({ limit: 100 });
    await service?.stop("SIGTERM");
    service = null;
    await rm(home, { recursive: true });

    const restoredAt = Date.now();
    const { exitCode, output } = await atelier("restore", backup);
    expect(output).toContain("All invariants hold.");
    expect(output).toContain(`Restored to ${home}. Start it with npm start.`);
    expect(exitCode).toBe(0);
    // Nothing but the restored folder is left.
    expect((await readdir(directory)).sort()).toEqual(["backup", "home"]);

    service = await start();
    const { result: job } = await service.atelier.jobs.wait(jobId);
    const { url } = Object.values(job.formats ?? {})[0] ?? {};
    expect((await fetch(url ?? "")).status).toBe(200);

    // A client resumes its stream, and receives the next job but none that it has seen.
    const received = readEvents(service, lastEventId);
    const next = await service.atelier.generateImage({ model, prompt: "after the restore" });
    const ids = await received(next.id);
    expect(ids).toContain(next.id);
    // Jobs that were unfinished in the backup continue; all others are not repeated.
    const repeated = earlier.filter(({ id }) => ids.includes(id));
    for (const { id } of repeated) {
      const { completed_at } = await service.atelier.jobs.get(id);
      expect(Date.parse(completed_at ?? "")).toBeGreaterThan(restoredAt);
    }
    expect(await atelier("audit", "--hash", "1")).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [
      "a damaged file",
      async () => {
        const path = join(backup, "postgres/PG_VERSION");
        const content = await readFile(path);
        await writeFile(path, "17\n");
        return () => writeFile(path, content);
      },
      /PG_VERSION is damaged\. Use another backup/,
    ],
    [
      "an unfinished backup",
      async () => {
        const path = join(backup, "manifest.json");
        await rename(path, `${path}.old`);
        return () => rename(`${path}.old`, path);
      },
      /is not a complete backup/,
    ],
    [
      "a backup of a newer version",
      async () => {
        const path = join(backup, "manifest.json");
        const content = await readFile(path, "utf8");
        await writeFile(path, content.replace('"migrations": [', '"migrations": ["29990101_new",'));
        return () => writeFile(path, content);
      },
      /has the migration 29990101_new\. Restore it with that version or a newer one/,
    ],
  ])("refuses %s and writes nothing", async (_name, harm, reason) => {
    const undo = await harm();
    const original = home;
    home = join(directory, "another-home");
    const { exitCode, output } = await atelier("restore", backup);
    home = original;
    await undo();
    expect(output).toMatch(reason);
    expect(exitCode).toBe(1);
    expect((await readdir(directory)).sort()).toEqual(["backup", "home"]);
  });

  it("refuses to complete a restore while programs are connected", async () => {
    const { exitCode, output } = await atelier("after-restore");
    expect(output).toBe(
      "atelier-api and atelier-worker are connected to the database. Stop all APIs and workers, then run this again.\n",
    );
    expect(exitCode).toBe(1);
  });

  it("erases an account again that was erased after the backup, with the records of the old folder", async () => {
    const made = await atelier("accounts", "create", "Jane Doe", "--json");
    const { id } = JSON.parse(made.output) as { id: string };
    const before = join(directory, "before");
    expect(await atelier("backup", before)).toMatchObject({ exitCode: 0 });
    expect(await atelier("accounts", "erase", id, "--yes")).toMatchObject({ exitCode: 0 });
    await service?.stop("SIGTERM");
    service = null;
    const old = join(directory, "old");
    await rename(home, old);
    const { exitCode, output } = await atelier("restore", before, "--erasures", old);
    expect(output).toContain("All invariants hold.");
    expect(output).toContain(`Erased again: ${id}.`);
    expect(exitCode).toBe(0);
    service = await start();
    const shown = await atelier("accounts", "show", id);
    expect(shown.output).toMatch(/^Name +erased$/m);
  });

  it("restores the files of a server and the secrets, which after-restore completes", async () => {
    const server = join(directory, "server");
    const secrets = join(directory, "secrets");
    const data = join(server, "data");
    const files = await atelier("restore", backup, "--postgres-data", data, "--secrets", secrets);
    expect(files.output).toContain("Database files and secrets are restored.");
    expect(files.exitCode).toBe(0);

    const { database_password: password } = JSON.parse(
      await readFile(join(secrets, "secrets.json"), "utf8"),
    ) as { database_password: string };
    const [port = 0] = await freePorts(1);
    const postgres = await startEmbeddedPostgres({ directory: server, port, password });
    let output = "";
    const write = (text: string) => (output += text);
    const exitCode = await run(["after-restore", backup], {
      environment: {
        DATABASE_URL: postgres.url("atelier"),
        STORAGE_URL: `file:${join(directory, "images")}`,
      },
      stdout: { write },
      stderr: { write },
      onInterruption: () => new AbortController().signal,
    });
    await postgres.stop();
    expect(output).toContain("All invariants hold.");
    expect(exitCode).toBe(0);
  });
});

/** The id of the last event of the account. */
async function lastEvent({ url, key, atelier: client }: Service): Promise<string> {
  const abort = new AbortController();
  const response = await fetch(`${url}/v1/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: abort.signal,
  });
  const { id } = await client.generateImage({ model, prompt: "before the end" });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(id) && text.includes("job.completed")) break;
  }
  abort.abort();
  return /^id: (.*)$/m.exec(text.slice(text.lastIndexOf("\nid: ") + 1))?.[1] ?? "";
}

/** Resumes the stream of the account, and returns the jobs of its events until one is completed. */
function readEvents({ url, key }: Service, lastEventId: string) {
  const abort = new AbortController();
  const opened = fetch(`${url}/v1/events`, {
    headers: { authorization: `Bearer ${key}`, "last-event-id": lastEventId },
    signal: abort.signal,
  });
  return async (untilJob: string): Promise<string[]> => {
    let text = "";
    for await (const chunk of (await opened).body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(untilJob) && text.includes("job.completed")) break;
    }
    abort.abort();
    return [...text.matchAll(/"id":"([0-9a-f-]{36})"/g)].map(([, id]) => id ?? "");
  };
}
