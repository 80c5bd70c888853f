import { defineConfig } from "vitest/config";

/** `npm run test:studio`: the pages in a real browser against the real service. */
export default defineConfig({
  test: {
    root: new URL(".", import.meta.url).pathname,
    include: ["test/*.suite.ts"],
    globalSetup: ["test/global-setup.ts"],
    // A browser each. The files share the service, and a test of what stops uses a service of its own.
    maxWorkers: 2,
    isolate: false,
    // Assertions that poll wait for the page as long as its own waits do.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
