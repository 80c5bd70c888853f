import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { copyToReachableFolder, findPrograms } from "./programs.ts";
import { allowToEnter, decideRunAs, mayEnter, type RunAs } from "./run-as.ts";

export interface EmbeddedPostgresOptions {
  /** Holds `data/` and `postgres.log`; made when missing. */
  readonly directory: string;
  /** TCP port on the loopback address. */
  readonly port: number;
  /** Of the superuser `atelier`, set when the cluster is first made. */
  readonly password: string;
  /** Further settings, for example `{ fsync: "off" }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** URL of a database of this server. */
  url(database: string): string;
  readonly pid: number;
  /** Settles when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>;
}

/**
 * Starts the Postgres that npm brought along, as a process of its own, and makes its cluster first
 * when there is none. A server that an earlier, killed run left behind on the same data is stopped.
 *
 * @throws Error with the end of its log when it does not come up.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDirectory = join(options.directory, "data");
  await mkdir(options.directory, { recursive: true });
  let runAs = decideRunAs();
  let programs = await findPrograms();
  if (!mayEnter(runAs, programs.postgres)) programs = await copyToReachableFolder(programs);
  runAs = allowToEnter(runAs, options.directory);
  await stopLeftover(dataDirectory);
  if (!(await holdsCluster(dataDirectory))) {
    await initialise(programs.initdb, dataDirectory, options, runAs);
  }
  const child = start(programs.postgres, dataDirectory, options, runAs);
  // Not `once()`: it rejects when there is no process to end, which `untilReady` tells already.
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
 * Whether a cluster was made there.
 *
 * @throws Error when there is something else: it may be one of which a part is missing, and is never
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
    `${dataDirectory} is not empty, and no whole Postgres cluster: PG_VERSION is missing. ` +
      "Put a copy of all of it back, or move it away to begin anew.",
  );
}

const unfinishedPrefix = "data-";

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    // An initdb whose parent was killed may still be writing there.
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
  // A cluster gets its name when it is whole: what a crash in the middle of initdb leaves looks like one.
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
  // Only an empty folder gives way to it.
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
  // Detached: Ctrl-C in a terminal reaches the whole process group, and Postgres must outlive the rest.
  return run(postgres, ["-D", dataDirectory, "-p", String(options.port), ...flags], runAs, true);
}

async function untilReady(child: ChildProcess, directory: string): Promise<void> {
  const log = createWriteStream(join(directory, "postgres.log"), { flags: "a" });
  // On a full disk the log ends, until the next start, and everything else goes on.
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

/** How long a server of an earlier run may take to end, in milliseconds. */
const leftoverStopMs = 60_000;

/** The first line of `postmaster.pid` is the process that holds the data directory. */
async function stopLeftover(dataDirectory: string): Promise<void> {
  const content = await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => null);
  const pid = Number(content?.split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null);
  // Another program may have the number by now; without /proc Postgres itself judges the file.
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

/** Whether a process runs. One that has ended may stay in the table until its parent asks for it. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The state follows the name, which is in brackets and may have any characters (proc_pid_stat(5)).
  return stat !== null && stat[stat.lastIndexOf(")") + 2] !== "Z";
}
