import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createDatabase } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { findFreePort } from "./ports.ts";

const summaryShape = z.object({
  base_url: z.string(),
  api_key: z.string().nullable(),
  account_id: z.uuid().nullable(),
  image: z
    .object({
      cost_eur: z.string(),
      balance_eur: z.string(),
      provenance: z.literal("trusted"),
      files: z.array(
        z.object({ format: z.string(), path: z.string(), sha256: z.string(), size_bytes: z.int() }),
      ),
    })
    .nullable(),
  problem: z.string().nullable(),
  studio_url: z.url().nullable(),
  ports: z.object({ api: z.int(), admin: z.int(), postgres: z.int().nullable() }),
  pids: z.object({ api: z.int(), worker: z.int(), postgres: z.int().nullable() }),
});

/** Several starts of all processes, next to two other suites on a small machine. */
const timeoutMs = 240_000;

let home: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-standalone-"));
  // Postgres may run as another user.
  await chmod(home, 0o755);
});

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  await rm(home, { recursive: true });
});

/** Starts `main.ts` as npm does, on a free port. */
async function start(args: readonly string[], environment: Record<string, string> = {}) {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    env: {
      PATH: process.env["PATH"],
      ATELIER_ENV_FILE: "/dev/null",
      ATELIER_HOME: home,
      PORT: String(await findFreePort()),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const errorLines: string[] = [];
  const errors = createInterface({ input: child.stderr });
  errors.on("line", (line) => errorLines.push(line));
  const output: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const closed = once(child, "close");
  return {
    child,
    errorLines,
    output: () => output.join(""),
    /** Returns everything on stdout and the exit code, after it has exited. */
    async outcome() {
      await closed;
      return { code: child.exitCode, stdout: output.join(""), stderr: errorLines.join("\n") };
    },
    /** Returns the JSON that it prints when everything serves. */
    async summary() {
      while (!output.join("").includes("\n")) {
        const event = await Promise.race([once(child.stdout, "data"), closed.then(() => "closed")]);
        if (event === "closed") throw new Error(`exited early: ${errorLines.join("\n")}`);
      }
      return summaryShape.parse(JSON.parse(output.join("")));
    },
    async errorLine(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = errorLines.find((line) => pattern.test(line));
        if (found !== undefined) return found;
        await once(errors, "line");
      }
    },
  };
}

async function runOnce(environment?: Record<string, string>) {
  const { code, stdout, stderr } = await (await start(["--once", "--json"], environment)).outcome();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { ...summaryShape.parse(JSON.parse(stdout)), stderr };
}

function isRunning(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function untilExited(...pids: (number | null)[]): Promise<void> {
  while (pids.some(isRunning)) await delay(20);
}

async function makeImage(demo: { base_url: string; api_key: string | null }): Promise<number> {
  const answer = await fetch(`${demo.base_url}/v1/generate/image`, {
    method: "POST",
    headers: { authorization: `Bearer ${demo.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "builtin-pattern", prompt: "waves" }),
  });
  return answer.status;
}

/** The status of `/readyz` when a client names this address in `Host`. */
async function statusOf(port: string, host: string): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, path: "/readyz", headers: { host } }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

/** Opens the link of `npm start` like Studio does, and returns the status. */
async function openStudio(url: string | null): Promise<number> {
  const [page = "", link] = (url ?? "").split("#link=");
  const shown = await fetch(page);
  expect([shown.status, await shown.text()]).toEqual([
    200,
    expect.stringContaining("/studio/assets/"),
  ]);
  const response = await fetch(new URL("session", page), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Atelier-Studio": "1" },
    body: JSON.stringify({ link }),
  });
  return response.status;
}

describe("npm start", { timeout: timeoutMs }, () => {
  it("makes an account and an image, and continues with the same data", async () => {
    const first = await runOnce();
    expect(first).toMatchObject({
      problem: null,
      studio_url: null,
      image: { cost_eur: "0.01", balance_eur: "9.99" },
    });
    expect(first.image?.files.map(({ format }) => format)).toEqual(["png", "jpeg", "webp"]);
    for (const { path, sha256, size_bytes } of first.image?.files ?? []) {
      const bytes = await readFile(path);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      expect(bytes).toHaveLength(size_bytes);
    }
    // Output to a pipe is plain lines.
    expect(first.stderr).not.toContain("\x1b");

    const second = await runOnce();
    expect(second).toMatchObject({
      account_id: first.account_id,
      api_key: first.api_key,
      problem: null,
      // The home has its first image.
      image: null,
    });
    const demoFile = join(home, "demo.json");
    // The second start uses another port.
    expect(JSON.parse(await readFile(demoFile, "utf8"))).toEqual({
      base_url: second.base_url,
      api_key: second.api_key,
      account_id: second.account_id,
    });
    expect((await stat(demoFile)).mode & 0o777).toBe(0o600);
    expect([first.pids, second.pids].flatMap(Object.values).some(isRunning)).toBe(false);
  });

  it.skipIf(inject("poolerUrl") === null)("uses a database behind PgBouncer", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const pooled = new URL(inject("poolerUrl") ?? "");
    pooled.pathname = new URL(database.url).pathname;
    const outcome = await runOnce({
      ATELIER_HOME: join(home, "pooled"),
      DATABASE_URL: pooled.href,
      DATABASE_DIRECT_URL: database.url,
    });
    expect(outcome).toMatchObject({ problem: null, pids: { postgres: null } });
    await database.drop();
  });

  it("serves until Ctrl-C although its processes are killed, and exits within 10 s", async () => {
    const service = await start(["--json"]);
    const { pids, studio_url, ...demo } = await service.summary();

    expect(studio_url).toMatch(/^http:\/\/localhost:\d+\/studio\/#link=/);
    expect(await openStudio(studio_url)).toBe(204);
    expect(await openStudio(studio_url)).toBe(401);

    const secondStart = await (await start(["--once"])).outcome();
    expect(secondStart).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^Atelier already runs in .* \(process \d+\)\. Stop it first.*$/,
      ),
    });

    const killedAt = performance.now();
    process.kill(pids.worker, "SIGKILL");
    await service.errorLine(/The worker died: SIGKILL/);
    expect(performance.now() - killedAt).toBeLessThan(1_000);
    await service.errorLine(/The worker serves again/);
    expect(await makeImage(demo)).toBe(200);

    process.kill(pids.postgres ?? 0, "SIGKILL");
    await service.errorLine(/Postgres serves again/);
    expect(await makeImage(demo)).toBe(200);

    const interruptedAt = performance.now();
    service.child.kill("SIGINT");
    expect(await service.outcome()).toMatchObject({ code: 0 });
    expect(performance.now() - interruptedAt).toBeLessThan(10_000);
    const restarts = service.errorLines.join("\n").matchAll(/as process (\d+)/g);
    const restarted = [...restarts].map(([, pid]) => Number(pid));
    expect([...Object.values(pids), ...restarted].some(isRunning)).toBe(false);
    expect(await readdir(home)).not.toContain("local.json");
  });

  it("leaves no API or worker running when killed, and starts again", async () => {
    const service = await start(["--json"]);
    const { pids } = await service.summary();
    service.child.kill("SIGKILL");
    await untilExited(pids.api, pids.worker);
    const next = await runOnce();
    expect(next.problem).toBeNull();
    await untilExited(pids.postgres);
  });

  it("makes no demo account in a container, prints no secret, and serves this machine only", async () => {
    const own = join(home, "container");
    const port = String(await findFreePort());
    const settings = { ATELIER_HOME: own, PORT: port };
    const service = await start(["--container"], settings);
    while (!service.output().includes("Serving.")) await once(service.child.stdout, "data");
    const link = (await readFile(join(own, "first-sign-in"), "utf8")).trim();
    expect(await openStudio(link)).toBe(204);
    const foreign = await statusOf(port, `192.168.1.5:${port}`);
    expect(foreign).toBe(400);
    expect(await statusOf(port, `localhost:${port}`)).toBe(200);
    service.child.kill("SIGTERM");
    const { code, stdout, stderr } = await service.outcome();
    expect(code).toBe(0);
    const logs = await Promise.all(
      (await readdir(join(own, "logs"))).map((name) => readFile(join(own, "logs", name), "utf8")),
    );
    const secrets = await readFile(join(own, "secrets.json"), "utf8");
    const printed = [stdout, stderr, ...logs].join("\n");
    for (const secret of Object.values(JSON.parse(secrets) as Record<string, string>)) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).not.toMatch(/#link=|atl_(live|test)_|demo account/i);
    expect(await readdir(own)).not.toContain("demo.json");

    const again = await (await start(["--container", "--once"], settings)).outcome();
    expect(again.code).toBe(0);
    expect(again.stdout).not.toContain("first sign-in");
  });

  it("serves the home of npm start in a container, with its account and no other", async () => {
    const own = join(home, "moved");
    const first = await runOnce({ ATELIER_HOME: own });
    const service = await start(["--container", "--json"], { ATELIER_HOME: own });
    const moved = await service.summary();
    expect(moved).toMatchObject({ api_key: null, image: null, problem: null, studio_url: null });
    expect(await makeImage({ ...moved, api_key: first.api_key })).toBe(200);
    service.child.kill("SIGTERM");
    await service.outcome();
    expect(await readdir(own)).not.toContain("first-sign-in");
  });

  it("reports a used port in one line before starting anything", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const empty = join(home, "empty");
    const service = await start(["--once"], { PORT: String(port), ATELIER_HOME: empty });
    expect(await service.outcome()).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^Port ${port} is in use\\. .*$`)),
    });
    expect(await readdir(empty)).toEqual([]);
    other.close();
  });

  it("shows why the API does not start and stops the other processes", async () => {
    const service = await start(["--once"], { MAX_UNFINISHED_JOBS: "many" });
    const { code, stderr } = await service.outcome();
    expect(code).toBe(1);
    expect(stderr).toMatch(/The API did not start: exit code 1\n[\s\S]*MAX_UNFINISHED_JOBS/);
    expect(await readdir(home)).not.toContain("lock");
  });

  it("passes STORAGE_URL_FILE on to the operator's commands", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const own = join(home, "own-storage");
    const images = join(home, "images");
    const file = join(home, "storage_url");
    await writeFile(file, `${pathToFileURL(images).href}\n`);
    const service = await start(["--json"], {
      DATABASE_URL: database.url,
      STORAGE_URL_FILE: file,
      ATELIER_HOME: own,
    });
    expect(await service.summary()).toMatchObject({ problem: null });
    const local: unknown = JSON.parse(await readFile(join(own, "local.json"), "utf8"));
    expect(local).toMatchObject({ storage_url: pathToFileURL(images).href });
    expect(await readdir(images)).toContain("renders");
    expect(await readdir(own)).not.toContain("files");
    service.child.kill("SIGINT");
    await service.outcome();
    await database.drop();
  });

  it("uses an external Postgres and reports when the credit is used up", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const own = join(home, "own");
    const summary = await runOnce({ DATABASE_URL: database.url, ATELIER_HOME: own });
    expect(summary).toMatchObject({ problem: null, ports: { postgres: null } });
    expect(await readdir(own)).not.toContain("postgres");

    const accounts = createDatabase({ url: database.url, poolSize: 1, applicationName: "test" });
    await accounts.query("UPDATE account SET balance_micro_eur = 9999");
    await accounts.close();
    await rm(join(own, "images"), { recursive: true });
    const exhausted = await start(["--once"], { DATABASE_URL: database.url, ATELIER_HOME: own });
    const { code, stdout } = await exhausted.outcome();
    expect(code).toBe(1);
    expect(stdout).toContain(`no credit left. Top it up with: npm run atelier -- accounts top-up`);
    await database.drop();
  });
});
