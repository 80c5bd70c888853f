import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forkProgram, startProgram, type Program } from "@atelier/process";

export interface TestProgramOptions {
  /** Path of its main file from the root of the repository. */
  readonly entry: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory, also for its log. */
  readonly directory: string;
  readonly name: string;
}

export const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Starts a program as a child process, as in production, and waits until it serves. A program that a
 * test kills at a step (FAILPOINT_FILE) may die before it serves.
 *
 * @throws Error with the end of its log when it exits with a failure.
 */
export async function startTestProgram(options: TestProgramOptions): Promise<Program> {
  const { entry, environment, directory, name } = options;
  const logFile = join(directory, `${name}.log`);
  const start = { name, script: join(repositoryRoot, entry), environment, cwd: directory, logFile };
  if (!("FAILPOINT_FILE" in environment)) return startProgram(start);
  const program = await forkProgram(start);
  const ports = await program.ready;
  // Killed at a failpoint, not a failed start.
  if (ports === null && (await program.ended) !== null) {
    throw new Error(`${name} did not start: ${await program.describeEnd()}`);
  }
  return { ...program, ports: ports ?? { main: 0, admin: 0 } };
}
