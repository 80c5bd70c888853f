import { startProgram, type StartOptions } from "@atelier/process";
import type { Running } from "./supervise.ts";

interface NodeProcessOptions extends Omit<StartOptions, "signal"> {
  /** Time between SIGTERM and SIGKILL. */
  readonly stopTimeoutMs?: number | undefined;
}

/**
 * Starts one of our programs as a supervised process and waits until it serves.
 *
 * @throws Error with the end of its log when it exits before that or times out.
 */
export async function startNodeProcess(
  options: NodeProcessOptions,
  signal: AbortSignal,
): Promise<Running> {
  const { stopTimeoutMs = 8_000, ...start } = options;
  const program = await startProgram({ readyTimeoutMs: 120_000, ...start, signal });
  return {
    pid: program.pid,
    ended: program.describeEnd(),
    async stop() {
      const timer = setTimeout(() => program.signal("SIGKILL"), stopTimeoutMs);
      await program.stop();
      clearTimeout(timer);
    },
    kill: () => program.signal("SIGKILL"),
  };
}
