import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProgram, type Program } from "@atelier/process";
import { startBalancer } from "./balancer.ts";

interface FleetOptions {
  /** Environment of all programs; the values set here, such as ports, override it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly apis: number;
  readonly workers: number;
  /** Host at which clients reach the fleet. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Main file of the workers, relative to the root of the repository. */
  readonly workerEntry?: string;
  /** Directory for logs. */
  readonly directory: string;
  /** Receives one sentence for each event of a process. */
  readonly report: (sentence: string) => void;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

/** API processes behind one port, and workers, each as a separate process on this machine. */
export interface Fleet {
  readonly url: string;
  apis(): readonly Program[];
  workers(): readonly Program[];
  /**
   * Replaces all processes one after another: the new process serves before the old one is stopped.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the URL at which this machine reaches a server that listens on this address. */
function urlOf(host: string, port: number): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Time between the last request to an API process and its exit; longer than forwarding a request
 * takes.
 */
const drainDelaySeconds = 2;

/**
 * Time for all processes to end, in milliseconds. A restart waits for calls of vendors instead, as long as
 * `WORKER_DRAIN_SECONDS`.
 */
const longestStopMs = 30_000;

/** Pause after a failed start of a program that replaces another one, and the longest. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** Time without readiness after which the reason is reported, and again each time. */
const waitingReportMs = 3_000;

/** Reports why a process does not serve yet: the last problem in its log. */
async function reportWaiting(
  name: string,
  logFile: string,
  report: (sentence: string) => void,
): Promise<void> {
  const log = await readFile(logFile, "utf8").catch(() => "");
  const problem = log.split("\n").findLast((line) => line.includes('"msg":"not available yet'));
  if (problem === undefined) return;
  const { part, err } = JSON.parse(problem) as { part?: string; err?: { message?: string } };
  report(`${name} waits for the ${part ?? "services"}: ${err?.message ?? "not available"}`);
}

/**
 * Starts all processes in parallel, and resolves when all of them serve.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { directory, report } = options;
  const balancer = await startBalancer({ host: options.host, port: options.port });
  const url = options.environment["PUBLIC_URL"] ?? urlOf(options.host, balancer.port);
  const environment = {
    ...options.environment,
    PUBLIC_URL: url,
    HOST: "127.0.0.1",
    // The balancer connects from the loopback interface.
    TRUSTED_PROXIES: ["127.0.0.1", options.environment["TRUSTED_PROXIES"] ?? ""].join(),
    // Each process picks a free port and reports it.
    PORT: "0",
    ADMIN_PORT: "0",
    WORKER_ADMIN_PORT: "0",
    DRAIN_DELAY_SECONDS: String(drainDelaySeconds),
  };
  const apis: Program[] = [];
  const workers: Program[] = [];
  let started = 0;
  let isStopping = false;
  const stopping = new AbortController();

  async function start(kind: "api" | "worker", entry: string): Promise<Program> {
    const name = `${kind}-${++started}`;
    const logFile = join(directory, `${name}.log`);
    const waiting = setInterval(() => void reportWaiting(name, logFile, report), waitingReportMs);
    const program = await startProgram({
      name,
      script: join(root, entry),
      environment,
      cwd: directory,
      logFile,
      signal: AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])]),
    }).finally(() => clearInterval(waiting));
    // It was started instead of one that had died, while the fleet began to stop.
    if (isStopping) await program.kill();
    const all = kind === "api" ? apis : workers;
    all.push(program);
    void watch(program, all, kind === "api", name);
    return program;
  }

  /** Replaces a program that exits unexpectedly. */
  async function watch(program: Program, all: Program[], isApi: boolean, name: string) {
    const exitCode = await program.ended;
    if (isStopping || !all.includes(program)) return;
    all.splice(all.indexOf(program), 1);
    report(
      `${name} exited unexpectedly (${exitCode ?? "killed"}); its log is in ${directory}. Starting another one.`,
    );
    if (isApi) void balancer.remove(program.ports.main);
    await replace(isApi ? startApi : startWorker, name);
  }

  /** Starts a program until it serves, with growing pauses. A stop of the fleet ends it. */
  async function replace(startOne: () => Promise<void>, name: string): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await startOne();
      } catch (error) {
        if (isStopping) return;
        report(`No process could replace ${name}: ${(error as Error).message}`);
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (isStopping) return;
      }
    }
  }

  async function startApi(): Promise<void> {
    const api = await start("api", "apps/api/src/main.ts");
    balancer.add(api.ports.main);
  }

  async function startWorker(): Promise<void> {
    await start("worker", options.workerEntry ?? "apps/worker/src/main.ts");
  }

  async function retire(all: Program[], program: Program): Promise<void> {
    // A program that exited by itself in the meantime was already removed.
    if (all.includes(program)) all.splice(all.indexOf(program), 1);
    const exitCode = await program.stop();
    if (exitCode !== 0)
      report(`Process ${program.pid} exited with ${exitCode} when it was stopped.`);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    stopping.abort();
    const programs = [...apis, ...workers];
    const kill = () => void Promise.all(programs.map((program) => program.kill()));
    const timer = setTimeout(kill, longestStopMs);
    await Promise.all(programs.map((program) => program.stop())).finally(() => clearTimeout(timer));
    await balancer.close();
  }

  const starting = await Promise.allSettled([
    ...Array.from({ length: options.apis }, startApi),
    ...Array.from({ length: options.workers }, startWorker),
  ]);
  const failed = starting.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }

  return {
    url,
    apis: () => apis,
    workers: () => workers,
    async restart() {
      const earlier = { apis: [...apis], workers: [...workers] };
      // Workers first: a new API may accept requests that only a new worker can process.
      for (const worker of earlier.workers) {
        await startWorker();
        await retire(workers, worker);
      }
      for (const api of earlier.apis) {
        await startApi();
        await balancer.remove(api.ports.main);
        await retire(apis, api);
      }
    },
    stop,
  };
}
