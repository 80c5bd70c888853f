import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forkProgram, type ForkedProgram } from "./fork-program.ts";

let directory: string;
let logFile: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-fork-"));
  logFile = join(directory, "program.log");
});

afterEach(() => rm(directory, { recursive: true }));

/** A program that serves until it is killed. */
async function startServing(): Promise<ForkedProgram> {
  const script = join(directory, "program.mjs");
  await writeFile(script, `process.send({ type: "ready" }); setInterval(() => {}, 1_000);`);
  const program = await forkProgram({ script, environment: {}, logFile });
  await program.ready;
  return program;
}

it("reports how a program ended, with the last lines of this run's log", async () => {
  await writeFile(logFile, "an earlier program's\n");
  const program = await startServing();
  await appendFile(logFile, "first\nlast\n");
  await program.kill();
  expect(await program.describeEnd()).toBe("SIGKILL\nfirst\nlast");
});

it.each([
  { size: 600e6, what: "more than a string holds" },
  { size: 3e9, what: "more than is read at once" },
])("tells it with a log of $size bytes, $what", async ({ size }) => {
  const program = await startServing();
  await truncate(logFile, size);
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  await appendFile(logFile, `\n${lines.join("\n")}\n`);
  await program.kill();
  expect(await program.describeEnd()).toBe(["SIGKILL", ...lines.slice(-20)].join("\n"));
});

it("reports how a program ended when it has no log", async () => {
  const program = await startServing();
  await rm(logFile);
  await program.kill();
  expect(await program.describeEnd()).toBe("SIGKILL");
});

it("lets a program read no file with settings, because its parent has read it", async () => {
  const script = join(directory, "program.mjs");
  await writeFile(script, "console.log(process.env.ATELIER_ENV_FILE);");
  const environment = { ATELIER_ENV_FILE: join(directory, "settings") };
  const program = await forkProgram({ script, environment, logFile });
  await program.ended;
  expect(await program.log()).toBe("/dev/null\n");
});
