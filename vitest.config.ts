import { defineConfig } from "vitest/config";

const shared = { exclude: ["**/node_modules/**"] };

export default defineConfig({
  test: {
    // Each file has services, ports and deadlines of its own; beside others it would share the cores.
    maxWorkers: 1,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["{apps,packages,bench}/**/*.test.ts"],
          exclude: [...shared.exclude, "**/*.integration.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "integration",
          include: ["{apps,packages}/**/*.integration.test.ts"],
          globalSetup: ["vitest.global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
