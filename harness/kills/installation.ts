import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePorts } from "@atelier/local-services";

/** The processes that `npm start` supervises. */
export type Part = "api" | "worker" | "postgres";

/** A running `npm start`. */
export interface Installation {
  readonly url: string;
  readonly key: string;
  readonly accountId: string;
  /** Sends SIGKILL to the current process of this part. */
  kill(part: Part): void;
  /** Stops like Ctrl-C. */
  stop(): Promise<void>;
}

interface Summary {
  readonly base_url: string;
  readonly api_key: string;
  readonly account_id: string;
  readonly problem: string | null;
  readonly pids: Readonly<Record<Part, number>>;
}

const names: Readonly<Record<string, Part>> = {
  "The API": "api",
  "The worker": "worker",
  Postgres: "postgres",
};

/**
 * Runs `npm start` with its data in a folder.
 *
 * @throws Error when the start fails.
 */
export async function startInstallation(home: string): Promise<Installation> {
  const [port] = await freePorts(1);
  const main = fileURLToPath(new URL("../../apps/standalone/src/main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "--json"], {
    env: {
      PATH: process.env["PATH"],
      ATELIER_ENV_FILE: "/dev/null",
      ATELIER_HOME: home,
      PORT: String(port),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pids = new Map<Part, number>();
  const ended = once(child, "close");
  const isEnded = () => child.exitCode !== null || child.signalCode !== null;
  createInterface({ input: child.stderr }).on("line", (line) => {
    process.stderr.write(`  ${line}\n`);
    const [, name = "", pid] =
      /(The API|The worker|Postgres) serves again, as process (\d+)/.exec(line) ?? [];
    const part = names[name];
    if (part !== undefined) pids.set(part, Number(pid));
  });
  const [first] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line") as Promise<[string]>,
    ended.then(() => [null] as const),
  ]);
  if (first === null) throw new Error("npm start ended before it served");
  const summary = JSON.parse(first) as Summary;
  if (summary.problem !== null) throw new Error(summary.problem);
  for (const part of Object.values(names)) pids.set(part, summary.pids[part]);

  return {
    url: summary.base_url,
    key: summary.api_key,
    accountId: summary.account_id,
    kill(part) {
      if (isEnded()) throw new Error("npm start has ended");
      try {
        process.kill(pids.get(part) ?? 0, "SIGKILL");
      } catch (error) {
        // It is restarting after the previous kill.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
    async stop() {
      if (!isEnded()) child.kill("SIGINT");
      await ended;
    },
  };
}
