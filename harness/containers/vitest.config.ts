import { defineConfig } from "vitest/config";

/** `npm run test:containers`: tests both images and the Compose file with a container engine. */
export default defineConfig({
  test: {
    root: new URL(".", import.meta.url).pathname,
    include: ["*.suite.ts"],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    // A private engine is used by one suite at a time.
    fileParallelism: false,
    // Each test depends on the state that the previous one left.
    bail: 1,
    reporters: ["verbose"],
    provide: {},
  },
});
