import { afterAll, beforeAll, describe, inject } from "vitest";
import { shareStack } from "./share-stack.ts";
import { startStack, type Stack, type StackOptions } from "./stack.ts";

const combinations = [
  { name: "Postgres queue, files", redis: false, s3: false, pooler: false },
  { name: "Redis queue, S3", redis: true, s3: true, pooler: false },
  { name: "Postgres queue, S3", redis: false, s3: true, pooler: false },
  { name: "Redis queue, files", redis: true, s3: false, pooler: false },
  { name: "Redis queue, S3, PgBouncer", redis: true, s3: true, pooler: true },
  { name: "Postgres queue, files, PgBouncer", redis: false, s3: false, pooler: true },
];

/**
 * Selects the combinations of a test matrix that this run covers: `npm test` runs the first one,
 * `npm run test:stacks` all others.
 */
export function selectCombinations<T>(all: readonly T[]): readonly T[] {
  return inject("combinations") === "first" ? all.slice(0, 1) : all.slice(1);
}

/**
 * Runs a suite against the whole service, on combinations of queue and storage.
 *
 * @param options.all false (the default): on two combinations that cover each kind once. True: on all
 *   four, and on each kind of queue through a pooler in transaction mode.
 * @param options.shared whether the suite shares the stack of `shareStack` on the first combination. Only
 *   with the default settings. False by default.
 */
export function describeStacks(
  name: string,
  options: Omit<StackOptions, "postgresUrl" | "redisUrl" | "s3Url" | "poolerUrl"> & {
    readonly all?: boolean;
    readonly shared?: boolean;
  },
  suite: (stack: () => Stack) => void,
): void {
  const { all = false, shared = false, ...stackOptions } = options;
  const redisUrl = inject("redisUrl");
  const s3Url = inject("s3Url");
  const poolerUrl = inject("poolerUrl");
  for (const combination of selectCombinations(all ? combinations : combinations.slice(0, 2))) {
    const missing =
      (combination.redis && redisUrl === null) ||
      (combination.s3 && s3Url === null) ||
      (combination.pooler && poolerUrl === null);
    describe.skipIf(missing)(`${name} (${combination.name})`, () => {
      let stack: Stack | undefined;

      beforeAll(async () => {
        if (shared && combination === combinations[0]) {
          stack = await shareStack();
          return;
        }
        stack = await startStack({
          ...stackOptions,
          postgresUrl: inject("postgresUrl"),
          directory: inject("directory"),
          redisUrl: combination.redis ? redisUrl : null,
          s3Url: combination.s3 ? s3Url : null,
          poolerUrl: combination.pooler ? poolerUrl : null,
        });
      });

      afterAll(() => stack?.stop());

      suite(() => {
        if (stack === undefined) throw new Error("the stack did not start");
        return stack;
      });
    });
  }
}
