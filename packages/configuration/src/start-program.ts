import {
  forkProgram,
  type ForkedProgram,
  type ForkOptions,
  type ProgramPorts,
} from "./fork-program.ts";

/** A program that serves, as a process of its own. */
export interface Program extends ForkedProgram {
  readonly ports: ProgramPorts;
}

export interface StartOptions extends ForkOptions {
  /** What it is called in messages. */
  readonly name: string;
  /** How long it may take until it serves; as long as it likes when left out. */
  readonly readyTimeoutMs?: number;
  /** Ends the start before its time. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a program as a process of its own and waits until it serves.
 *
 * @throws Error with the end of its log when it ends before that, or takes too long; the reason of
 *   the signal. Then nothing is left running.
 */
export async function startProgram(options: StartOptions): Promise<Program> {
  const { name, readyTimeoutMs, signal } = options;
  signal?.throwIfAborted();
  const program = await forkProgram(options);
  const ports = await Promise.race([program.ready, untilGivenUp(program.ready, options)]);
  if (ports !== null && ports !== "given up") return { ...program, ports };

  if (ports === "given up") await program.kill();
  const how = await program.describeEnd();
  signal?.throwIfAborted();
  if (ports === null) throw new Error(`${name} did not start: ${how}`);
  const seconds = (readyTimeoutMs ?? 0) / 1_000;
  throw new Error(`${name} was not ready after ${seconds} s, and was stopped: ${how}`);
}

/** Resolves when the start has taken too long, or is to end before its time. */
function untilGivenUp(
  ready: Promise<unknown>,
  { readyTimeoutMs, signal }: Pick<StartOptions, "readyTimeoutMs" | "signal">,
): Promise<"given up"> {
  const { promise, resolve } = Promise.withResolvers<"given up">();
  const giveUp = () => resolve("given up");
  const timer = readyTimeoutMs === undefined ? undefined : setTimeout(giveUp, readyTimeoutMs);
  signal?.addEventListener("abort", giveUp);
  if (signal?.aborted === true) giveUp();
  void ready.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  });
  return promise;
}
