import { defineConfig } from "vitest/config";

/** `npm run test:clients`: libraries of others with the OpenAI-compatible operations, and generated clients. */
export default defineConfig({
  test: {
    root: new URL(".", import.meta.url).pathname,
    include: ["*.suite.ts"],
    globalSetup: ["../../vitest.global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["verbose"],
  },
});
