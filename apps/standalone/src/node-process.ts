import { startProgram, type StartOptions } from "@atelier/configuration";
import type { Running } from "./supervise.ts";

export interface NodeProcessOptions extends Omit<StartOptions, "signal"> {
  /** From SIGTERM to SIGKILL. */
  readonly stopTimeoutMs?: number | undefined;
}

/**
 * Starts a program of ours as a process that can be supervised, and waits until it serves.
 *
 * @throws Error with the end of its log when it ends before that, or takes too long.
 */
export async function startNodeProcess(
  options: NodeProcessOptions,
  signal: AbortSignal,
): Promise<Running> {
  const { stopTimeoutMs = 8_000, ...start } = options;
  const program = await startProgram({ readyTimeoutMs: 30_000, ...start, signal });
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
