import type { Program } from "@atelier/process";
import { inject } from "vitest";
import { startStack, type Stack } from "./stack.ts";

/** The stacks of this vitest worker, by their number of workers. Its test files run one after another. */
const stacks = new Map<number, Promise<Stack>>();

/**
 * Returns the stack with the default settings that the test files of a vitest worker share: the first one
 * starts it, and it ends with the vitest worker. Each file creates accounts of its own. `stop` stops only
 * what the file started itself, and makes the provider return images again.
 *
 * @param options.workers number of workers, 1 by default. Without one, jobs stay pending, and no lane is behind.
 */
export async function shareStack({
  workers = 1,
}: { readonly workers?: 0 | 1 } = {}): Promise<Stack> {
  const stack = await (stacks.get(workers) ?? start(workers));
  const own: Program[] = [];
  const track =
    (startProgram: Stack["startApi"]): Stack["startApi"] =>
    async (environment) => {
      const program = await startProgram(environment);
      own.push(program);
      return program;
    };
  return {
    ...stack,
    startApi: track((environment) => stack.startApi(environment)),
    startWorker: track((environment) => stack.startWorker(environment)),
    async stop() {
      await Promise.all(own.map((program) => program.stop()));
      stack.provider.behave(() => ({ kind: "image" }));
    },
  };
}

/**
 * Stops the stacks of this vitest worker; the next file that needs one starts it again. Call it before
 * `vi.useFakeTimers` in a file with services, since the loops of a stack would wait for the fake clock.
 */
export async function endSharedStacks(): Promise<void> {
  const started = [...stacks.values()];
  stacks.clear();
  await Promise.all(started.map(async (stack) => (await stack).stop()));
}

async function start(workers: number): Promise<Stack> {
  const starting = startStack({
    postgresUrl: inject("postgresUrl"),
    directory: inject("directory"),
    workers,
    // Without a worker, the jobs of all files wait.
    environment: workers === 0 ? { MAX_QUEUE_AGE_SECONDS: "1000000" } : {},
  });
  stacks.set(workers, starting);
  // The next file tries again.
  starting.catch(() => stacks.delete(workers));
  return starting;
}
