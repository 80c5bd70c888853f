import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSettingsOfFile } from "@atelier/configuration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callerProgram } from "./caller-program.ts";
import { runProgram, type Surroundings } from "./run-program.ts";
import { run } from "./run.ts";

let folder: string;
let stderr: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-env-"));
  await writeFile(
    join(folder, "settings"),
    "OPENAI_API_KEY=sk-secret\nATELIER_URL=http://x.test\n",
  );
});
afterAll(() => rm(folder, { recursive: true }));

function surroundings(): Surroundings & { readonly written: () => string } {
  let written = "";
  stderr = "";
  return {
    environment: { ATELIER_ENV_FILE: join(folder, "settings"), ATELIER_HOME: folder },
    stdout: { write: (text: string) => (written += text) },
    stderr: { write: (text: string) => (stderr += text) },
    onInterruption: () => new AbortController().signal,
    addSettings: addSettingsOfFile,
    written: () => written,
  };
}

it("gives a vendor key of the file to operators' commands, and says so once", async () => {
  const place = surroundings();
  await run(["models", "check", "--json"], place);
  expect(place.written()).not.toContain("OPENAI_API_KEY is not set");
  expect(place.written()).toContain("GEMINI_API_KEY is not set");
  expect(stderr.split("\n")[0]).toMatch(/^Settings of .*settings: OPENAI_API_KEY\. Ignored/);
  expect(stderr).not.toContain("sk-secret");
});

it("is not read by callers' commands, also those of the package", async () => {
  await run(["jobs"], surroundings());
  expect(stderr).not.toMatch(/Settings of|x\.test/);
  const { addSettings: _, ...place } = surroundings();
  await runProgram(callerProgram, ["verify", "missing.png"], place);
  expect(stderr).not.toMatch(/Settings of|x\.test/);
});
