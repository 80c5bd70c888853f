import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { copyToReachableFolder, findPrograms, readVersion } from "./programs.ts";
import { allowToEnter, decideRunAs, canEnter, type RunAs } from "./run-as.ts";

export interface EmbeddedPostgresOptions {
  /** Folder of `data/` and `postgres.log`; created when missing. */
  readonly directory: string;
  /** TCP port on the loopback address; the start fails when it is in use. */
  readonly port: number;
  /** Password of the superuser `atelier`, set when the cluster is created; not changed afterwards. */
  readonly password: string;
  /**
   * Further settings, for example `{ fsync: "off" }` in tests, which loses data in a crash. They win over
   * the package's own. Default: none.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** URL of a database of this server. */
  url(database: string): string;
  readonly pid: number;
  /** Settles when the server has exited for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>;
}

/**
 * Starts the Postgres from the npm package as a child process, and creates its cluster on first use.
 * Stops a server that an earlier, killed run left running on the same data.
 *
 * @throws Error with the end of its log when it does not start.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDirectory = join(options.directory, "data");
  await mkdir(options.directory, { recursive: true });
  let runAs = decideRunAs();
  let programs = await findPrograms();
  const version = await readVersion(programs);
  if (!canEnter(runAs, programs.postgres)) programs = await copyToReachableFolder(programs);
  runAs = allowToEnter(runAs, options.directory);
  await stopLeftover(dataDirectory);
  if (await holdsCluster(dataDirectory)) {
    await assertMajor(dataDirectory, version);
  } else {
    await initialise(programs.initdb, dataDirectory, options, runAs);
  }
  if (runAs.owner !== null) await giveTo(runAs.owner, dataDirectory);
  const child = start(programs.postgres, dataDirectory, options, runAs);
  // Not `once()`, which rejects when the process could not be started; `untilReady` reports that.
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilReady(child, options.directory);
  return {
    url: (database) =>
      `postgres://atelier:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

function run(program: string, args: readonly string[], runAs: RunAs, detached: boolean) {
  const [command = program, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(command, rest, {
    cwd: "/",
    detached,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
  });
}

/**
 * Whether the folder contains a cluster.
 *
 * @throws Error when it contains anything else. It may be an incomplete cluster, which must never be
 *   replaced by an empty one.
 */
async function holdsCluster(dataDirectory: string): Promise<boolean> {
  const names: string[] = await readdir(dataDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length === 0) return false;
  if (names.includes("PG_VERSION")) return true;
  throw new Error(
    `${dataDirectory} is not empty and not a complete Postgres cluster: PG_VERSION is missing. ` +
      "Restore all of it from a copy, or move it elsewhere to start with an empty database.",
  );
}

/** @throws Error for a cluster of another major version, whose files this one cannot read. */
async function assertMajor(dataDirectory: string, version: string): Promise<void> {
  const found = (await readFile(join(dataDirectory, "PG_VERSION"), "utf8")).trim();
  const [major] = version.split(".");
  if (found === major) return;
  throw new Error(
    `${dataDirectory} has a database of Postgres ${found}, and this version of Atelier runs Postgres ${major}. ` +
      "Start the version of Atelier that created it, or use another folder or volume.",
  );
}

/** Gives a cluster that root restored from a copy to the user that runs Postgres. */
async function giveTo(owner: { uid: number; gid: number }, directory: string): Promise<void> {
  if ((await stat(directory)).uid === owner.uid) return;
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), owner.uid, owner.gid);
  }
  // Last, so that an interrupted run is repeated.
  await chown(directory, owner.uid, owner.gid);
}

const unfinishedPrefix = "data-";

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    // An initdb whose parent was killed may still be writing to this folder.
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function initialise(
  initdb: string,
  dataDirectory: string,
  options: EmbeddedPostgresOptions,
  runAs: RunAs,
): Promise<void> {
  const passwordFile = join(options.directory, "password");
  // Renamed only when complete: after a crash in the middle of initdb, the folder looks like a cluster.
  await removeUnfinished(options.directory);
  const unfinished = await mkdtemp(join(options.directory, unfinishedPrefix));
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (runAs.owner !== null) {
    await chown(unfinished, runAs.owner.uid, runAs.owner.gid);
    await chown(passwordFile, runAs.owner.uid, runAs.owner.gid);
  }
  const child = run(
    initdb,
    [
      `--pgdata=${unfinished}`,
      "--username=atelier",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--no-locale",
    ],
    runAs,
    false,
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  }
  let code: unknown;
  try {
    [code] = await once(child, "close");
  } finally {
    await rm(passwordFile);
  }
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`Postgres could not make its data directory:\n${output.join("")}`);
  }
  // `rename` replaces only an empty folder.
  await rename(unfinished, dataDirectory);
}

function start(
  postgres: string,
  dataDirectory: string,
  options: EmbeddedPostgresOptions,
  runAs: RunAs,
): ChildProcess {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    timezone: "UTC",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // Detached, since Ctrl-C signals the whole process group and Postgres must stop last.
  return run(postgres, ["-D", dataDirectory, "-p", String(options.port), ...flags], runAs, true);
}

async function untilReady(child: ChildProcess, directory: string): Promise<void> {
  const log = createWriteStream(join(directory, "postgres.log"), { flags: "a" });
  // On a full disk only the log stops, until the next start.
  log.on("error", () => undefined);
  const recent: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => {
      const reason = recent.findLast((line) => /\b(?:FATAL|PANIC)\b/.test(line)) ?? recent.at(-1);
      reject(new Error(`Postgres did not start: ${reason ?? "no reason"}\n${recent.join("\n")}`));
    });
    if (child.stderr === null) return;
    const lines = createInterface({ input: child.stderr });
    lines.on("line", (line) => {
      log.write(`${line}\n`);
      recent.push(line);
      if (recent.length > 20) recent.shift();
      if (line.includes("database system is ready to accept connections")) resolve();
    });
    lines.on("close", () => log.end());
  });
}

/** Timeout for stopping a server of an earlier run, in milliseconds. */
const leftoverStopMs = 60_000;

/** The first line of `postmaster.pid` is the process that holds the data directory. */
async function stopLeftover(dataDirectory: string): Promise<void> {
  const content = await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => null);
  const pid = Number(content?.split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  // The pid may have been reused; without /proc, Postgres itself validates the file.
  if (command === null || !command.includes(dataDirectory)) return;
  process.kill(pid, "SIGINT");
  for (const deadline = performance.now() + leftoverStopMs; await runs(pid);) {
    if (performance.now() > deadline) {
      throw new Error(
        `Postgres process ${pid} of an earlier run does not end. End it, then start again.`,
      );
    }
    await delay(50);
  }
}

/** Whether a process runs. An exited process stays in the table as a zombie until its parent reaps it. */
async function runs(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The state follows the name, which is in brackets and may have any characters (proc_pid_stat(5)).
  return text !== null && text[text.lastIndexOf(")") + 2] !== "Z";
}
