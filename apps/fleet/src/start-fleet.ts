import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram, type Program } from "@atelier/configuration";
import { startBalancer } from "./balancer.ts";

export interface FleetOptions {
  /** Of all programs; what is chosen here, such as their ports, comes over it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly apis: number;
  readonly workers: number;
  /** Where clients reach the fleet. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Main file of the workers, from the root of the repository. */
  readonly workerEntry?: string;
  /** Where the logs go. */
  readonly directory: string;
  /** Told in a sentence what happens to the processes. */
  readonly report: (sentence: string) => void;
}

/** API processes behind one port, and workers, each a process of its own on this machine. */
export interface Fleet {
  readonly url: string;
  apis(): readonly Program[];
  workers(): readonly Program[];
  /**
   * Puts a new process in the place of each one, one after another: the new one serves before the
   * old one is told to stop.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Between the last request that an API is sent and its end: longer than any hand-over takes. */
const drainDelaySeconds = 2;

/** Starts all processes at once, and resolves when all of them serve. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { directory, report } = options;
  const balancer = await startBalancer({ host: options.host, port: options.port });
  const url = `http://127.0.0.1:${balancer.port}`;
  const environment = {
    PUBLIC_URL: url,
    ...options.environment,
    HOST: "127.0.0.1",
    // Any that are free: they tell which.
    PORT: "0",
    ADMIN_PORT: "0",
    DRAIN_DELAY_SECONDS: String(drainDelaySeconds),
  };
  const apis: Program[] = [];
  const workers: Program[] = [];
  let started = 0;
  let isStopping = false;

  async function start(kind: "api" | "worker", entry: string): Promise<Program> {
    const name = `${kind}-${++started}`;
    const program = await startProgram({
      name,
      script: join(root, entry),
      environment,
      cwd: directory,
      logFile: join(directory, `${name}.log`),
    });
    const all = kind === "api" ? apis : workers;
    all.push(program);
    void watch(program, all, kind === "api", name);
    return program;
  }

  /** Takes out what ends without having been told to. */
  async function watch(program: Program, all: Program[], isApi: boolean, name: string) {
    const exitCode = await program.ended;
    if (isStopping || !all.includes(program)) return;
    all.splice(all.indexOf(program), 1);
    report(`${name} has ended by itself (${exitCode ?? "killed"}); its log is in ${directory}.`);
    if (isApi) await balancer.remove(program.ports.main);
  }

  async function startApi(): Promise<void> {
    const api = await start("api", "apps/api/src/main.ts");
    balancer.add(api.ports.main);
  }

  async function startWorker(): Promise<void> {
    await start("worker", options.workerEntry ?? "apps/worker/src/main.ts");
  }

  async function retire(all: Program[], program: Program): Promise<void> {
    // One that has ended by itself meanwhile is out already.
    if (all.includes(program)) all.splice(all.indexOf(program), 1);
    const exitCode = await program.stop();
    if (exitCode !== 0)
      report(`Process ${program.pid} ended with ${exitCode} when it was stopped.`);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await Promise.all([...apis, ...workers].map((program) => program.stop()));
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
      for (const api of earlier.apis) {
        await startApi();
        await balancer.remove(api.ports.main);
        await retire(apis, api);
      }
      for (const worker of earlier.workers) {
        await startWorker();
        await retire(workers, worker);
      }
    },
    stop,
  };
}
