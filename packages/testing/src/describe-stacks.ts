import { afterAll, beforeAll, describe, inject } from "vitest";
import { startStack, type Stack, type StackOptions } from "./stack.ts";

const combinations = [
  { name: "Postgres queue, files", redis: false, s3: false },
  { name: "Redis queue, S3", redis: true, s3: true },
  { name: "Postgres queue, S3", redis: false, s3: true },
  { name: "Redis queue, files", redis: true, s3: false },
];

/**
 * Runs a suite on the whole service as processes, on each kind of queue and storage: on two
 * combinations that have every kind once, or on all four.
 */
export function describeStacks(
  name: string,
  options: Omit<StackOptions, "postgresUrl" | "redisUrl" | "s3Url"> & { readonly all?: boolean },
  suite: (stack: () => Stack) => void,
): void {
  const { all = false, ...stackOptions } = options;
  const redisUrl = inject("redisUrl");
  const s3Url = inject("s3Url");
  for (const combination of all ? combinations : combinations.slice(0, 2)) {
    const missing = (combination.redis && redisUrl === null) || (combination.s3 && s3Url === null);
    describe.skipIf(missing)(`${name} (${combination.name})`, () => {
      let stack: Stack | undefined;

      beforeAll(async () => {
        stack = await startStack({
          ...stackOptions,
          postgresUrl: inject("postgresUrl"),
          redisUrl: combination.redis ? redisUrl : null,
          s3Url: combination.s3 ? s3Url : null,
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
