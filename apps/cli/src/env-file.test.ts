import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

it.each(["worker", "standalone"])(
  "gives settings of the file to %s",
  async (app) => {
    const file = join(folder, `${app}-settings`);
    await writeFile(file, "PORT=none\nWORKER_CONCURRENCY=none\n");
    const main = fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], {
      // Programs of other tests read "/dev/null": ATELIER_ENV_FILE: "/dev/null".
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        ATELIER_ENV_FILE: file,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const output = Buffer.concat(await child.stderr.toArray()).toString();
    expect(output).toContain(`Settings of ${file}: PORT, WORKER_CONCURRENCY.`);
    expect(output).toContain(`${app === "worker" ? "WORKER_CONCURRENCY" : "PORT"}: Invalid input`);
  },
  120_000,
);
