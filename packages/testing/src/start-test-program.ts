import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forkProgram, startProgram, type Program } from "@atelier/configuration";

export interface TestProgramOptions {
  /** Path of its main file from the root of the repository. */
  readonly entry: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it works, and where its log goes. */
  readonly directory: string;
  readonly name: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Starts a program of the product, as a process of its own as in production, and waits until it
 * serves. One that a test has die at some step (FAILPOINT_FILE) may come to that step before it does.
 *
 * @throws Error with the end of its log when it ends instead.
 */
export async function startTestProgram(options: TestProgramOptions): Promise<Program> {
  const { entry, environment, directory, name } = options;
  const logFile = join(directory, `${name}.log`);
  const start = { name, script: join(root, entry), environment, cwd: directory, logFile };
  if (!("FAILPOINT_FILE" in environment)) return startProgram(start);
  const program = await forkProgram(start);
  const ports = await program.ready;
  // Killed, and not ended by a failure of its start.
  if (ports === null && (await program.ended) !== null) {
    throw new Error(`${name} did not start: ${await program.describeEnd()}`);
  }
  return { ...program, ports: ports ?? { main: 0, admin: 0 } };
}
