import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { slowestFiles } from "./vitest.slowest-files.ts";

// Node strips types in WebAssembly, and V8 can crash when several threads of a process do so at the same
// time. From this cache, threads load what an earlier one stripped.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node-compile");

const exclude = ["**/node_modules/**"];

/**
 * `ATELIER_TEST_LANE=full` also runs the tests tagged `full`, with API and workers as processes everywhere
 * (packages/testing/README.md).
 */
const isFullLane = process.env["ATELIER_TEST_LANE"] === "full";

/**
 * The files of a worker share its modules: importing them again for each file takes a third of the CPU
 * time. A test that changes the environment or the clock restores it.
 */
const shared = {
  isolate: false,
  unstubEnvs: true,
  // Assertions that poll wait longer than the default of a second, which a busy machine exceeds.
  expect: { poll: { timeout: 30_000 } },
};

/** Tests with real services, which the global set-up starts once for all files of a run. */
const withServices = {
  ...shared,
  exclude,
  globalSetup: ["vitest.global-setup.ts"],
  testTimeout: 60_000,
  // The first stack of a vitest worker loads 2,000 modules, which takes minutes beside busy programs.
  hookTimeout: 300_000,
};

/** Occupies both cores for minutes, in which tests beside it run into their limits. It runs after the others. */
const usesWholeMachine = "apps/api/test/busy-machine.slow.test.ts";

/**
 * `npm test` runs `unit` and `integration`, with the default stack: queue in Postgres, storage in files.
 * `npm run test:stacks` runs `stacks` and then `alone`, and `npm run test:faults` runs `faults`.
 *
 * - `x.test.ts`: no services.
 * - `x.integration.test.ts`: Postgres and files.
 * - `x.matrix.test.ts`: a suite for several combinations of queue and storage, on the default one in
 *   `npm test`, on all others in `npm run test:stacks`.
 * - `x.stacks.test.ts`: Redis, S3 or PgBouncer, only in `npm run test:stacks`.
 * - `x.slow.test.ts`: many programs, clients or examples, only in `npm run test:stacks`.
 * - `x.faults.test.ts`: crash and fault matrices, only in `npm run test:faults`.
 */
export default defineConfig({
  test: {
    // Files mostly wait for processes to start and for locks to expire, so three share two cores.
    maxWorkers: 3,
    reporters: ["default", slowestFiles],
    tags: [{ name: "full", description: "Repeats a promise at full size, or costs a process." }],
    ...(isFullLane ? {} : { tagsFilter: ["!full"] }),
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["{apps,packages,deploy,harness}/**/*.test.ts"],
          exclude: [...exclude, "**/*.{integration,matrix,stacks,slow,faults}.test.ts"],
          // Property tests compute for seconds when other files share their core.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...withServices,
          name: "integration",
          include: ["{apps,packages}/**/*.{integration,matrix}.test.ts"],
          provide: { combinations: "first" },
        },
      },
      {
        test: {
          ...withServices,
          name: "stacks",
          include: ["{apps,packages}/**/*.{matrix,stacks,slow}.test.ts"],
          exclude: [...exclude, usesWholeMachine],
          provide: { combinations: "others" },
        },
      },
      {
        test: {
          ...withServices,
          name: "alone",
          include: [usesWholeMachine],
          provide: { combinations: "others" },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...withServices,
          name: "faults",
          include: ["{apps,packages,deploy}/**/*.faults.test.ts"],
          provide: { combinations: "others" },
        },
      },
    ],
  },
});
