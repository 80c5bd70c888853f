import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { readCodeBlocks, toScript } from "./code-blocks.ts";

// Stories take their time on a machine that has other things to do.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = new Set(["sh", "ts", "js"]);

/** Their commands start fleets, or spend an operator's money at vendors: not to be run by a test. */
const forOperators = new Set(["deployment.md", "providers.md"]);

const pages = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md") && !forOperators.has(name))
  .map((name) => {
    const blocks = readCodeBlocks(readFileSync(join(root, "docs", name), "utf8"));
    return { name, blocks };
  })
  .filter(({ blocks }) => blocks.some(({ language }) => run.has(language)));

let stack: Stack;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const metricsToken = "a metrics token that is only for tests";
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { METRICS_TOKEN: metricsToken },
  });
  const { accountId, key } = await stack.createAccount("100");
  directory = await mkdtemp(join(tmpdir(), "atelier-docs-"));

  // What npm start leaves for those who call it.
  const home = join(directory, "home");
  await mkdir(join(home, "certificates"), { recursive: true });
  const demo = { base_url: stack.url, api_key: key, account_id: accountId };
  await writeFile(join(home, "demo.json"), JSON.stringify(demo));
  await writeFile(join(home, "certificates/trust-anchors.pem"), stack.trustAnchorsPem);

  const programs = join(directory, "bin");
  await mkdir(programs);
  // The pages say: alias atelier="npm run --silent atelier --". A script knows no aliases, and the
  // detour over npm costs more than the command.
  await writeProgram(programs, "atelier", `exec node "${join(root, "apps/cli/src/main.ts")}" "$@"`);
  // There is a service already, which `npm ci && npm start` is for.
  await writeProgram(programs, "npm", `case "$1" in ci|start) exit 0;; esac; exit 1`);

  environment = {
    PATH: [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    HOME: directory,
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

it.each(pages)("docs/$name does what it says", async ({ name, blocks }) => {
  const workplace = await mkdtemp(join(directory, "page-"));
  await symlink(join(root, "node_modules"), join(workplace, "node_modules"));
  await writeFile(join(workplace, "package.json"), JSON.stringify({ type: "module" }));
  const script = toScript(`docs/${name}`, blocks)
    .replaceAll("http://localhost:3000", stack.url)
    .replaceAll("http://localhost:3001", stack.adminUrl);
  await writeFile(join(workplace, "page.sh"), script);
  const bash = spawn("bash", ["page.sh"], {
    cwd: workplace,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => void bash.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(bash.stdout), text(bash.stderr), ended]);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
});
