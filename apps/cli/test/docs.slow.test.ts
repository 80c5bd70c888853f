import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { readCodeBlocks, toScript } from "./code-blocks.ts";

// A page with many images and stories takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = new Set(["sh", "ts", "js"]);

/** Not run by tests: their commands start fleets, or spend an operator's money at vendors. */
const forOperators = new Set(["deployment.md", "providers.md"]);

/** Packages whose examples `npm run test:clients` runs, because only that harness installs them. */
const packagesOfHarness = Object.keys(
  (
    JSON.parse(readFileSync(join(root, "harness/clients/package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    }
  ).devDependencies,
);
const isRunByHarness = (code: string) =>
  packagesOfHarness.some((name) => code.includes(`from "${name}"`));

/** The program of a Python with httpx, for docs/python.md; null if none is installed. */
const python =
  ["python3", "/usr/bin/python3"].find(
    (program) => spawnSync(program, ["-c", "import httpx"]).status === 0,
  ) ?? null;
if (python === null) {
  const line =
    "docs/python.md is not tested: no Python with httpx. Debian: apt install python3-httpx";
  if (process.env["REQUIRE_ALL_SUITES"] === "1") throw new Error(line);
  process.stdout.write(`${line}\n`);
}
const isRunnable = (name: string) =>
  name.endsWith(".md") && !forOperators.has(name) && (name !== "python.md" || python !== null);

const pages = readdirSync(join(root, "docs"))
  .filter(isRunnable)
  .map((name) => {
    const blocks = readCodeBlocks(readFileSync(join(root, "docs", name), "utf8"));
    return { name, blocks: blocks.filter(({ code }) => !isRunByHarness(code)) };
  })
  .filter(({ blocks }) => blocks.some(({ language }) => run.has(language)));

let stack: Stack;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const metricsToken = "a metrics token that is only for tests";
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      METRICS_TOKEN: metricsToken,
      // For the receiver of docs/events.md.
      WEBHOOK_PRIVATE_HOSTS: "localhost:4010",
      // As in production: a tool takes longer than other tests wait for a provider, on a busy machine.
      PROVIDER_TIMEOUT_SECONDS: "",
    },
  });
  const { accountId, key } = await stack.createAccount("100");
  directory = await mkdtemp(join(tmpdir(), "atelier-docs-"));

  // The files that npm start leaves for clients.
  const home = join(directory, "home");
  await mkdir(join(home, "certificates"), { recursive: true });
  const demo = { base_url: stack.url, api_key: key, account_id: accountId };
  await writeFile(join(home, "demo.json"), JSON.stringify(demo));
  await writeFile(join(home, "certificates/trust-anchors.pem"), stack.trustAnchorsPem);

  const programs = join(directory, "bin");
  await mkdir(programs);
  // The pages define: alias atelier="npm run --silent atelier --". Scripts ignore aliases, and npm
  // takes longer than the command.
  await writeProgram(programs, "atelier", `exec node "${join(root, "apps/cli/src/main.ts")}" "$@"`);
  // A service is already running, so `npm ci && npm start` has nothing to do.
  if (python !== null) await writeProgram(programs, "python3", `exec ${python} "$@"`);
  await writeProgram(programs, "npm", `case "$1" in ci|start) exit 0;; esac; exit 1`);

  environment = {
    PATH: [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    HOME: directory,
    ATELIER_ENV_FILE: "/dev/null",
    ATELIER_HOME: home,
    ATELIER_URL: stack.url,
    ATELIER_API_KEY: key,
    METRICS_TOKEN: metricsToken,
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node-compile"),
  };
});

async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

it.each(pages)("docs/$name works as written", async ({ name, blocks }) => {
  const workFolder = await mkdtemp(join(directory, "page-"));
  await symlink(join(root, "node_modules"), join(workFolder, "node_modules"));
  await writeFile(join(workFolder, "package.json"), JSON.stringify({ type: "module" }));
  const script = toScript(`docs/${name}`, blocks)
    .replaceAll("http://localhost:3000", stack.url)
    .replaceAll("http://localhost:3001", stack.adminUrl);
  await writeFile(join(workFolder, "page.sh"), script);
  const bash = spawn("bash", ["page.sh"], {
    cwd: workFolder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => void bash.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(bash.stdout), text(bash.stderr), ended]);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
});
