import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAtelier, type Atelier, type Generation } from "@atelier/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { labelsOf } from "../image/bill-of-materials.ts";
import { createComposeProject, type ComposeProject } from "./compose-project.ts";
import type { Engine } from "./engine.ts";
import { openSuiteEngine, readPublicImages } from "./open-engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const image = `atelier:test-${randomBytes(4).toString("hex")}`;
const model = "builtin-illustrator";
const megabyte = 1_000_000;

const execute = promisify(execFile);

const log = (line: string) => void process.stderr.write(`${line}\n`);

interface Service {
  readonly image: string;
  readonly cap_add?: readonly string[];
  readonly healthcheck?: object;
}

const compose = parse(await readFile(`${root}/docker-compose.yml`, "utf8"), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};
const services = Object.entries(compose.services).map(([name, service]) => ({ name, ...service }));

/** Capabilities by their bit in `/proc/<pid>/status`, as in `capability.h` of Linux. */
const capabilityBits: ReadonlyMap<number, string> = new Map([
  [0, "CHOWN"],
  [1, "DAC_OVERRIDE"],
  [3, "FOWNER"],
  [6, "SETGID"],
  [7, "SETUID"],
]);

/** The capabilities of a set in hexadecimal; others are named by their bit. */
function capabilitiesIn(set: string): string[] {
  const bits = BigInt(`0x${set}`);
  return Array.from({ length: 64 }, (_, bit) => bit)
    .filter((bit) => (bits >> BigInt(bit)) & 1n)
    .map((bit) => capabilityBits.get(bit) ?? String(bit));
}

const composePage = await readFile(`${root}/docs/compose.md`, "utf8");
const blocksOf = (language: string) =>
  [...composePage.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, block = ""]) => block,
  );

const images = await readPublicImages();
const opened = await openSuiteEngine(images, log);

describe.skipIf("unavailable" in opened)("containers", () => {
  const engine = opened as Engine;
  let project: ComposeProject;
  let atelier: Atelier;
  let key: string;

  beforeAll(async () => {
    project = await createComposeProject(engine, image, blocksOf("ini").join(""));
  });

  afterAll(async () => {
    await project?.remove();
    await engine.docker(["rmi", image]).catch(() => undefined);
    await engine.stop();
  });

  async function build(tag: string, context: string, ...args: string[]): Promise<void> {
    await engine.docker(["build", "--quiet", "--network", "host", "--tag", tag, ...args, context], {
      timeoutMs: 1_200_000,
    });
  }

  /** Runs a command of the page, with the image that is built and without a terminal. */
  function runCompose(args: readonly string[]): Promise<string> {
    const [command = "", ...rest] = args;
    return project.compose(command, command === "run" ? "-T" : "--no-build", ...rest);
  }

  async function untilServing(workers: number): Promise<void> {
    await Promise.all([
      ...["proxy", "api", "api-2"].map((service) => project.untilHealthy(service, 1)),
      project.untilHealthy("worker", workers),
    ]);
  }

  async function sizeOf(name: string): Promise<number> {
    return Number(await engine.docker(["image", "inspect", "--format", "{{.Size}}", name]));
  }

  /** Downloads all formats of an image and compares them with their hashes. */
  async function download({ formats }: Generation): Promise<void> {
    for (const { url, hash, size_bytes: size } of Object.values(formats ?? {})) {
      expect(url.startsWith(project.storageUrl)).toBe(true);
      const response = await fetch(url);
      expect(response.status).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes).toHaveLength(size);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
    }
  }

  it("builds an image of at most 150 MB above its base, without tests and the tools that build Studio", async () => {
    // A tagged layer of packages is reused by the next run.
    await build("atelier:test-packages", root, "--target", "packages");
    const source = { version: "0.0.0", commit: "test", date: "2026-11-30T00:00:00Z" };
    const labels = labelsOf(source, "atelier");
    const options = Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`);
    await build(image, root, "--target", "service", ...options);
    const format = ["--format", "{{json .Config.Labels}}"];
    const found = JSON.parse(await engine.docker(["image", "inspect", ...format, image])) as object;
    expect(found).toMatchObject(labels);
    const added = (await sizeOf(image)) - (await sizeOf(images.node));
    log(`The image has ${Math.round(added / megabyte)} MB above its base.`);
    expect(added).toBeLessThan(150 * megabyte);
    const command =
      "ls -d /atelier/node_modules/vite /atelier/apps/studio/src 2>/dev/null;" +
      " find /atelier/apps /atelier/packages -name node_modules -prune -o -name '*.test.ts' -print";
    expect(
      await engine.docker(["run", "--rm", "--network", "none", image, "sh", "-c", command]),
    ).toBe("");
  }, 1_500_000);

  it("reuses the layer of packages when only sources change", async () => {
    const layersOf = async (name: string) => {
      const format = ["--format", "{{json .RootFS.Layers}}"];
      return JSON.parse(await engine.docker(["image", "inspect", ...format, name])) as string[];
    };
    const changed = `${image}-changed`;
    const folder = await mkdtemp(join(tmpdir(), "atelier-context-"));
    try {
      await cp(root, folder, { recursive: true, filter: (path) => !excluded.test(path) });
      await appendFile(join(folder, "apps/api/src/main.ts"), "// A change.\n");
      await build(changed, folder, "--target", "service");
      const [before, after] = [await layersOf(image), await layersOf(changed)];
      expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
      expect(after.at(-1)).not.toBe(before.at(-1));
    } finally {
      await engine.docker(["rmi", changed]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("creates the secrets and keeps existing ones", async () => {
    const user = `${process.getuid?.() ?? 0}`;
    const secrets = () =>
      project.compose("run", "--rm", "-T", "--no-deps", "--user", user, "secrets");
    const generated = await secrets();
    expect(generated).toContain("database_password");
    expect(generated).not.toContain("s3_access_key");
    expect(await secrets()).toContain("Nothing to do");
  });

  it("starts everything, migrates first, and becomes healthy", async () => {
    await project.compose("up", "--detach", "--no-build", "--scale", "worker=2");
    await untilServing(2);
    expect((await fetch(`${project.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${project.url}/studio`)).text()).toContain("/studio/assets/");
    expect((await fetch(`${project.url}/packages/atelier-cli.tgz`)).status).toBe(200);
    expect((await fetch(`${project.url}/packages/atelier-client.tgz`)).status).toBe(200);
    expect(await project.containersOf("migrate")).toEqual([]);
  });

  it("opens an account with the operator's commands", async () => {
    const { id } = await project.operate<{ id: string }>(
      "accounts",
      "create",
      "Acme",
      "--credit",
      "25",
    );
    ({ api_key: key } = await project.operate<{ api_key: string }>(
      "accounts",
      "keys",
      "create",
      id,
    ));
    atelier = createAtelier({ baseUrl: project.url, apiKey: key, maxRetries: 30 });
    expect(await atelier.account.get()).toMatchObject({ balance_eur: "25.00" });
  });

  it("runs the commands of docs/compose.md: the vendor key of .env, an account, a key and an image", async () => {
    let accountId = "";
    let teamKey = "";
    const outputs = new Map<string, string>();
    for (const command of blocksOf("console")
      .join("")
      .split(/(?<!\\)\n/)) {
      // The image is built.
      if (command === "" || command === "docker compose build") continue;
      const text = command
        .replaceAll("\\\n", " ")
        .replaceAll("<account-id>", accountId)
        .replaceAll("<key>", teamKey)
        .replaceAll("http://localhost:3000", project.url);
      const { stdout } = await execute("bash", [
        "-c",
        text.replace(/^docker compose /, String.raw`printf '%s\0' `),
      ]);
      const output = command.startsWith("docker compose ")
        ? await runCompose(stdout.split("\0").slice(0, -1))
        : stdout;
      outputs.set(command, output);
      accountId ||= /^Account +(\S+)$/m.exec(output)?.[1] ?? "";
      teamKey ||= /^ {2}(\S+)$/m.exec(output)?.[1] ?? "";
    }
    const [models = ""] = [...outputs].find(([command]) => command.includes("models check")) ?? [];
    expect(outputs.get(models)).toMatch(/^gpt-image-2 .*usable/m);
    expect([...outputs.values()].join("\n")).toContain("builtin-illustrator");
    expect(accountId).toMatch(/^[\da-f-]{36}$/);
    const statement = [...outputs].find(([command]) => command.includes("statement"))?.[1];
    expect(statement).toContain("50.00");
    await untilServing(1);
    const [api = ""] = await project.containersOf("api");
    const [worker = ""] = await project.containersOf("worker");
    for (const container of [api, worker]) {
      const environment = await engine.docker(["exec", container, "env"]);
      for (const line of blocksOf("ini").join("").trim().split("\n")) {
        if (container === worker || !/^(EUR_PER_USD|JOB_RETENTION)/.test(line))
          expect(environment).toContain(line);
      }
    }
  }, 300_000);

  it("generates an image and delivers its formats by signed URLs of the storage", async () => {
    const generated = await atelier.generateImage({ model, prompt: "a lighthouse at dusk" });
    await download(generated);
    const url = new URL(generated.image_url);
    const signature = url.searchParams.get("X-Amz-Signature") ?? "";
    url.searchParams.set(
      "X-Amz-Signature",
      signature.replace(/^./, (c) => (c === "0" ? "1" : "0")),
    );
    expect((await fetch(url)).status).toBe(403);
    url.search = "";
    expect([400, 401, 403]).toContain((await fetch(url)).status);
  });

  it("generates a story with portraits and scenes", async () => {
    const generated = await atelier.generateStory({
      model,
      prompt: "A short tale of a lost kite",
      characters: [{ name: "Mira", description: "a woman with long red hair" }],
      locations: [{ name: "Beach", description: "a wide beach with dunes" }],
      scenes: [
        { prompt: "Mira flies a kite", characters: [{ name: "Mira" }], location: "Beach" },
        { prompt: "Mira follows the kite", characters: [{ name: "Mira" }], location: "Beach" },
      ],
    });
    expect(generated.scenes).toHaveLength(2);
    for (const { image_url: url } of generated.scenes ?? []) {
      expect((await fetch(url ?? "")).status).toBe(200);
    }
  });

  it.each(["api", "api-2", "worker"])("runs %s without privileges", async (service) => {
    for (const container of await project.containersOf(service)) {
      const { HostConfig } = await project.inspect(container);
      expect(HostConfig).toMatchObject({
        ReadonlyRootfs: true,
        Privileged: false,
        CapDrop: ["ALL"],
      });
      expect(HostConfig.CapAdd ?? []).toEqual([]);
      expect(HostConfig.SecurityOpt?.join(" ")).toContain("no-new-privileges");
      const status = await engine.docker(["exec", container, "cat", "/proc/1/status"]);
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
        expect(status).toMatch(new RegExp(`^${set}:\\t0+$`, "m"));
      }
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      const write = ["exec", container, "touch", "/atelier/apps/new-file"];
      await expect(engine.docker(write)).rejects.toThrow("Read-only file system");
    }
  });

  it.each(services.filter((service) => service.healthcheck !== undefined))(
    "runs $name with the capabilities that the Compose file names, and no way to gain others",
    async ({ name, cap_add = [] }) => {
      const containers = await project.containersOf(name);
      expect(containers).not.toEqual([]);
      for (const container of containers) {
        const status = await engine.docker(["exec", container, "cat", "/proc/1/status"]);
        const [, bounding = ""] = /^CapBnd:\t(\w+)$/m.exec(status) ?? [];
        expect(capabilitiesIn(bounding)).toEqual(cap_add);
        expect(status).toMatch(/^NoNewPrivs:\t1$/m);
        // Entrypoints that run as root give up what they need as soon as they have used it.
        expect(status).toMatch(/^CapEff:\t0+$/m);
      }
    },
  );

  it("binds operator ports to loopback and gives secrets only to the services that use them", async () => {
    const [proxy = ""] = await project.containersOf("proxy");
    const published = await engine.docker(["port", proxy]);
    expect(published).toMatch(/^3001\/tcp -> 127\.0\.0\.1:\d+$/m);
    const [api = ""] = await project.containersOf("api");
    const [worker = ""] = await project.containersOf("worker");
    for (const container of [api, worker]) {
      expect(await engine.docker(["port", container])).toBe("");
    }
    expect(await engine.docker(["exec", worker, "ls", "/run/secrets"])).not.toContain("admin_key");
    expect((await fetch(`${project.adminUrl}/metrics`)).status).toBe(401);
  });

  it("fails no read and no post when one API after another is recreated", async () => {
    const stopping = new AbortController();
    const failed: string[] = [];
    let sent = 0;
    const repeat = async (method: string, path: string, body?: object) => {
      while (!stopping.signal.aborted) {
        sent++;
        try {
          const response = await fetch(project.url + path, {
            method,
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            ...(body && { body: JSON.stringify(body) }),
          });
          await response.text();
          if (!response.ok) failed.push(`${method} ${response.status}`);
        } catch (error) {
          failed.push(`${method} ${String(error)}`);
        }
        await new Promise((wake) => setTimeout(wake, 50));
      }
    };
    const load = [
      repeat("GET", "/v1/account"),
      repeat("GET", "/v1/jobs"),
      repeat("POST", "/v1/quotes", {
        operation: "image",
        request: { model, prompt: "a lighthouse" },
      }),
    ];
    for (const service of ["api", "api-2"]) {
      await project.compose(
        "up",
        "--detach",
        "--no-build",
        "--no-deps",
        "--force-recreate",
        service,
      );
      await project.untilHealthy(service, 1);
    }
    stopping.abort();
    await Promise.all(load);
    log(`${sent} requests while the APIs were recreated, of which ${failed.length} failed.`);
    expect(failed).toEqual([]);
  });

  it("scales to four workers", async () => {
    await project.compose("up", "--detach", "--no-build", "--no-recreate", "--scale", "worker=4");
    await project.untilHealthy("worker", 4);
    expect(await project.containersOf("worker")).toHaveLength(4);
  });

  it("loses and duplicates nothing when workers, queue and database fail under load", async () => {
    const startedAt = performance.now();
    const note = (event: string) =>
      log(`  ${Math.round((performance.now() - startedAt) / 1_000)} s: ${event}`);
    const { balance_eur: before } = await atelier.account.get();
    const jobs = 24;
    let completed = 0;
    const work = Array.from({ length: jobs }, async (_, number) => {
      await new Promise((wake) => setTimeout(wake, number * 400));
      const generated = await atelier.generateImage(
        { model, prompt: `a lighthouse, view ${number}` },
        { idempotencyKey: `view-${number}` },
      );
      completed++;
      note(`${completed} of ${jobs} images`);
      await download(generated);
      return generated.id;
    });
    const settled = Promise.allSettled(work);

    const [killed = ""] = await project.containersOf("worker");
    note("killing a worker, then emptying the queue");
    await engine.docker(["kill", killed]);
    await project.compose("exec", "-T", "valkey", "sh", "-c", flushAll);
    note("restarting Postgres");
    await project.compose("restart", "--timeout", "0", "postgres");
    await project.untilHealthy("postgres", 1);
    note("stopping the queue for a while");
    await project.compose("stop", "valkey");
    await engine.docker(["start", killed]);
    await project.compose("start", "valkey");
    await project.untilHealthy("valkey", 1);
    note("restarting the API");
    await project.compose("restart", "api");
    expect(completed).toBeLessThan(jobs);

    const failed = (await settled).filter(({ status }) => status === "rejected");
    expect(failed).toEqual([]);
    const ids = await Promise.all(work);
    expect(new Set(ids).size).toBe(jobs);
    const { balance_eur: after, held_eur: held } = await atelier.account.get();
    expect(Number(before) - Number(after)).toBeCloseTo(jobs * 0.01, 6);
    expect(held).toBe("0.00");
  });

  it("passes the audit with every image read and hashed", async () => {
    const { findings } = await project.operate<{
      findings: { invariant: string; checked: number; violations: number }[];
    }>("audit", "--hash", "1");
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(findings.find(({ invariant }) => invariant.includes("image"))?.checked).toBeGreaterThan(
      0,
    );
  });

  it("is restored by two commands on an empty machine, from a backup that was made under load", async () => {
    const { id: jobId } = await atelier.generateImage({ model, prompt: "a lighthouse at dawn" });
    const backedUp = new AbortController();
    const load = (async () => {
      while (!backedUp.signal.aborted) await atelier.generateImage({ model, prompt: "load" });
    })();
    const backup = await project.compose("run", "--rm", "-T", "backup", "/backup/drill");
    expect(backup).toMatch(/with the files of Postgres and \d+ images/);
    expect(backup).toContain("key_pepper");
    backedUp.abort();
    await load;
    await project.destroy();

    const files = await project.compose(
      "run",
      "--rm",
      "-T",
      "--no-deps",
      "restore",
      "/backup/drill",
    );
    expect(files).toContain("Database files and secrets are restored");
    const restored = await project.compose("run", "--rm", "-T", "after-restore", "/backup/drill");
    expect(restored).toContain("All invariants hold.");

    await project.compose("up", "--detach", "--no-build");
    await untilServing(1);
    // The key of before, which depends on the restored pepper.
    const { result } = await atelier.jobs.wait(jobId);
    await download(result);
    await download(await atelier.generateImage({ model, prompt: "after the restore" }));
    const { ok } = await project.operate<{ ok: boolean }>("audit", "--hash", "1");
    expect(ok).toBe(true);
    // It takes more than two minutes on an idle machine.
  }, 600_000);
});

/** Not needed by the build, and large. */
const excluded = /\/(node_modules|\.git|\.turbo|\.atelier)(\/|$)/;

/** Empties the queues, with the password of the configuration. */
const flushAll =
  "REDISCLI_AUTH=$(cut -d ' ' -f 2 /run/secrets/valkey_config); " +
  "export REDISCLI_AUTH VALKEYCLI_AUTH=$REDISCLI_AUTH; valkey-cli flushall";
