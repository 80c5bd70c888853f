import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startStack, startTestProgram, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

const countModules = fileURLToPath(
  new URL("../../../packages/testing/src/count-modules.ts", import.meta.url),
);

let stack: Stack;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-modules-"));
  stack = await startStack({ postgresUrl: inject("postgresUrl"), workers: 0 });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true });
});

/** Starts a program, and stops it once it serves; returns the modules that it has loaded. */
async function modulesOf(app: string): Promise<string[]> {
  const file = join(directory, `${app}.txt`);
  const program = await startTestProgram({
    entry: `apps/${app}/src/main.ts`,
    environment: {
      ...stack.environment,
      PORT: "0",
      ADMIN_PORT: "0",
      NODE_OPTIONS: `--import=${countModules}`,
      MODULES_FILE: file,
    },
    directory,
    name: app,
  });
  expect(await program.stop()).toBe(0);
  return (await readFile(file, "utf8")).split("\n");
}

/** Parts that are loaded with their first use. */
const rare =
  /\/packages\/illustrator\/src\/draw|\/@bull-board\/|\/undici\/|\/bullmq-otel\/|\/packages\/watermark\/|\/openid-client\/|\/src\/console\/console\.ts/;

it.each([
  ["api", 1_660],
  ["worker", 1_300],
])("%s loads at most %i modules before it serves, and none that are rare", async (app, most) => {
  const modules = await modulesOf(app);
  expect(modules.filter((url) => rare.test(url))).toEqual([]);
  expect(modules.length).toBeLessThanOrEqual(most);
});
