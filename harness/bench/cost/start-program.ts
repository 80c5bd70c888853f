import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Load, LoadResult } from "./program.ts";

/** A running `program.ts`. */
export interface MeasuredProgram {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

/**
 * Starts `program.ts`.
 *
 * @param options.checkout root of the repository whose code runs.
 */
export async function startProgram(options: {
  readonly checkout: string;
  readonly databaseUrl: string;
  readonly queueUrl: string;
}): Promise<MeasuredProgram> {
  const child = fork(join(options.checkout, "harness/bench/cost/program.ts"), [], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      COST_DATABASE_URL: options.databaseUrl,
      COST_QUEUE_URL: options.queueUrl,
    },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => {
    throw new Error("the measured program ended");
  });
  // It is awaited only while a message is expected.
  ended.catch(() => undefined);
  const nextMessage = async () => {
    const [message] = (await Promise.race([once(child, "message"), ended])) as unknown[];
    return message;
  };
  await nextMessage();
  return {
    async run(load) {
      child.send(load);
      return (await nextMessage()) as LoadResult;
    },
    async stop() {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}
