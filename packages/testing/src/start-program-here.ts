import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Program, RunningProgram } from "@atelier/process";
import { repositoryRoot, type TestProgramOptions } from "./start-test-program.ts";

/** A module that starts a program in the process that imports it. */
interface ProgramModule {
  start(environment: Readonly<Record<string, string>>, logFile: string): Promise<RunningProgram>;
}

/**
 * Starts a program in this process and waits until it serves. It shares modules, the environment of the
 * process and its event loop with the test, so it has no pid, and cannot be killed or receive signals.
 */
export async function startProgramHere(options: TestProgramOptions): Promise<Program> {
  const { entry, environment, directory, name } = options;
  const logFile = join(directory, `${name}.log`);
  await appendFile(logFile, "");
  const program = (await import(join(repositoryRoot, entry))) as ProgramModule;
  const running = await program.start(environment, logFile);
  const ports = { main: running.port ?? 0, admin: running.adminPort ?? 0 };
  const ended = Promise.withResolvers<number | null>();
  const refuse = (): never => {
    throw new Error(
      `${name} runs in the process of the test. Start its stack with processes: true`,
    );
  };
  return {
    ports,
    ready: Promise.resolve(ports),
    ended: ended.promise,
    get pid() {
      return refuse();
    },
    describeEnd: async () => `exit code ${await ended.promise}`,
    log: () => readFile(logFile, "utf8"),
    async stop() {
      await running.stop();
      ended.resolve(0);
      return ended.promise;
    },
    kill: async () => refuse(),
    signal: refuse,
  };
}
