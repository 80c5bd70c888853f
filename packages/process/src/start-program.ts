import { temporaryFailure } from "./run-program.ts";
import {
  forkProgram,
  type ForkedProgram,
  type ForkOptions,
  type ProgramPorts,
} from "./fork-program.ts";

/** A serving program as a child process. */
export interface Program extends ForkedProgram {
  readonly ports: ProgramPorts;
}

export interface StartOptions extends ForkOptions {
  /** Its name in messages. */
  readonly name: string;
  /**
   * Timeout until it serves, in milliseconds. Default: none, since a program may wait for a database.
   * After it, the program is killed and the start fails permanently.
   */
  readonly readyTimeoutMs?: number;
  /** Aborts the start and kills the program; without effect once it serves. Default: none. */
  readonly signal?: AbortSignal;
}

/** A program ended before it served. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
  /** Whether the cause may pass, so that another start may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

/**
 * Starts a program as a child process and waits until it serves.
 *
 * @throws StartFailure with the end of its log when it exits first or the timeout ends; the signal's reason when
 *   it aborts. The process is stopped in all of these cases.
 */
export async function startProgram(options: StartOptions): Promise<Program> {
  const { name, readyTimeoutMs, signal } = options;
  signal?.throwIfAborted();
  const program = await forkProgram(options);
  const ports = await Promise.race([program.ready, untilGivenUp(program.ready, options)]);
  if (ports !== null && ports !== "given up") return { ...program, ports };

  if (ports === "given up") await program.kill();
  const ending = await program.describeEnd();
  signal?.throwIfAborted();
  if (ports === null) {
    const exitCode = await program.ended;
    // A signal from outside, such as that of the kernel when memory runs out, says nothing about it.
    const isTransient = exitCode === null || exitCode === temporaryFailure;
    throw new StartFailure(`${name} did not start: ${ending}`, isTransient);
  }
  const seconds = (readyTimeoutMs ?? 0) / 1_000;
  throw new StartFailure(
    `${name} was not ready after ${seconds} s, and was stopped: ${ending}`,
    false,
  );
}

/** Resolves when the start times out or is aborted. */
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
