import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findChromium } from "./chromium.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-find-chromium-"));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function writeBrowser(name: string, script: string): Promise<string> {
  const executable = join(directory, name);
  await writeFile(executable, `#!/bin/sh\n${script}\n`);
  await chmod(executable, 0o755);
  return executable;
}

test("uses the given browser when it renders a page", async () => {
  const executable = await writeBrowser("works", "echo '<html></html>'");
  expect(await findChromium({ executable })).toEqual({ executable });
});

test("throws when the given browser does not start", async () => {
  const executable = await writeBrowser("broken", "exit 1");
  await expect(findChromium({ executable })).rejects.toThrow("does not start");
});
