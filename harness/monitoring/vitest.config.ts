import { defineConfig } from "vitest/config";

/** `npm run test:monitoring`: evaluates alerts and the dashboard with Prometheus. */
export default defineConfig({
  test: {
    root: new URL(".", import.meta.url).pathname,
    include: ["*.suite.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: ["verbose"],
  },
});
