import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAtelier, type Atelier } from "@atelier/client";
import { freePorts } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { images as imageKinds, labelsOf } from "../image/bill-of-materials.ts";
import type { Engine } from "./engine.ts";
import { openSuiteEngine, readPublicImages } from "./open-engine.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = `atelier-one-${randomBytes(4).toString("hex")}`;
const image = `${name}:old`;
const model = "builtin-illustrator";

const log = (line: string) => void process.stderr.write(`${line}\n`);
const execute = promisify(execFile);

const page = await readFile(`${root}/docs/one-container.md`, "utf8");
const commands = [...page.matchAll(/^```console\n(.*?)^```/gms)]
  .flatMap(([, block = ""]) => block.trim().split("\n"))
  .filter((command) => !command.startsWith("docker build"));

const opened = await openSuiteEngine(await readPublicImages(), log);

describe.skipIf("unavailable" in opened)("one container", () => {
  const engine = opened as Engine;
  /** Volumes of the run, to remove at its end. */
  const volumes = new Set<string>();
  let port: number;
  let url: string;
  let atelier: Atelier;
  let accountId: string;
  let key: string;
  /** The image of the container before the kill. */
  let imageUrl: string;

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    url = `http://localhost:${port}`;
    await engine.docker(["network", "create", name]);
  });

  afterAll(async () => {
    const ids = await engine.docker(["ps", "--all", "--quiet", "--filter", `network=${name}`]);
    if (ids !== "") await engine.docker(["rm", "--force", ...ids.split("\n")]);
    await engine.docker(["network", "rm", name]);
    for (const volume of volumes) await engine.docker(["volume", "rm", "--force", volume]);
    await engine.docker(["rmi", "--force", image, `${name}:new`]).catch(() => undefined);
    await engine.stop();
  });

  /** Runs a command of the page with the names, the port and the image of this run. */
  async function runCommand(command: string, tag = image): Promise<string> {
    const text = command
      .replace(/^docker run /, `docker run --network ${name} --env PORT=${port} `)
      .replace("127.0.0.1:3000:3000", `127.0.0.1:${port}:${port}`)
      .replace(/(?<=--name |^docker (?:exec|stop|rm) )atelier\b/, name)
      .replaceAll(/(?<=--volume )atelier/g, name)
      .replaceAll(/\batelier-one(?= |$)/g, tag)
      .replaceAll("<account-id>", accountId);
    for (const [, volume = ""] of text.matchAll(/--volume ([\w-]+):/g)) volumes.add(volume);
    const quoted = text.replace(/^docker /, String.raw`printf '%s\0' `);
    const { stdout } = await execute("bash", ["-c", quoted]);
    return engine.docker(stdout.split("\0").slice(0, -1));
  }

  const commandWith = (text: string) => commands.find((command) => command.includes(text)) ?? "";

  /** Starts a container on a volume or a folder, without a port. */
  async function start(container: string, volume: string): Promise<void> {
    if (!volume.startsWith("/")) volumes.add(volume);
    const options = ["--network", name, "--name", container, "--volume", `${volume}:/data`];
    await engine.docker(["run", "--detach", ...options, image]);
  }

  const stateOf = async (container: string, format: string) =>
    engine.docker(["inspect", "--format", format, container]);

  async function untilHealthy(container: string): Promise<void> {
    const format = "{{.RestartCount}} {{.State.Status}} {{.State.Health.Status}}";
    // Ends before the test does, which would not print what the container says.
    for (const endsAt = performance.now() + 270_000; performance.now() < endsAt;) {
      const [restarts, status, health] = (await stateOf(container, format)).split(" ");
      if (status === "running" && health === "healthy") return;
      if (status === "exited" || Number(restarts) > 5) break;
      await new Promise((wake) => setTimeout(wake, 500));
    }
    throw new Error(`${container} does not serve:\n${await logsOf(container)}`);
  }

  async function firstToEnd(containers: readonly string[]): Promise<string> {
    for (;;) {
      for (const container of containers) {
        if ((await stateOf(container, "{{.State.Status}}")) === "exited") return container;
      }
      await new Promise((wake) => setTimeout(wake, 250));
    }
  }

  /** Everything that a container has printed. Docker prints the error output of a container as its own. */
  const logsOf = async (container: string) => {
    const path = await mkdtemp(join(tmpdir(), "atelier-logs-"));
    const file = join(path, "log");
    await execute("bash", ["-c", `docker logs ${container} >${file} 2>&1`], {
      env: { ...process.env, ...engine.environment },
    });
    const text = await readFile(file, "utf8");
    await rm(path, { recursive: true });
    return text.trim();
  };

  /** Starts a container that must end by itself, and returns its last line. */
  async function refusalOf(volume: string): Promise<string | undefined> {
    const container = `${name}-refused`;
    await start(container, volume);
    expect(await engine.docker(["wait", container])).toBe("1");
    const lines = (await logsOf(container)).split("\n");
    await engine.docker(["rm", container]);
    // The step that failed is on the other stream, which may come later.
    return lines.findLast((line) => !line.startsWith("✖"));
  }

  async function countAccounts(container: string): Promise<number> {
    const json = await engine.docker(["exec", container, "atelier", "accounts", "list", "--json"]);
    return (JSON.parse(json) as { accounts: unknown[] }).accounts.length;
  }

  async function signIn(container: string): Promise<number> {
    const text = await engine.docker(["exec", container, "cat", "/data/first-sign-in"]);
    const [pageUrl = "", link] = text.trim().split("#link=");
    const response = await fetch(new URL("session", pageUrl), {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Atelier-Studio": "1" },
      body: JSON.stringify({ link }),
    });
    return response.status;
  }

  it("builds an image of at most 75 MB above that of the services", async () => {
    const source = { version: "0.0.0", commit: "test", date: "2026-11-30T00:00:00Z" };
    const labels = labelsOf(source, "atelier-one");
    const options = Object.entries(labels).map(([label, value]) => `--label=${label}=${value}`);
    for (const { target } of Object.values(imageKinds)) {
      const tag = target === "one" ? image : `${name}:service`;
      const args = ["build", "--quiet", "--network", "host", "--target", target, "--tag", tag];
      await engine.docker([...args, ...options, root], { timeoutMs: 1_500_000 });
    }
    const sizeOf = async (tag: string) =>
      Number(await engine.docker(["image", "inspect", "--format", "{{.Size}}", tag])) / 1e6;
    const [size, service] = [await sizeOf(image), await sizeOf(`${name}:service`)];
    await engine.docker(["rmi", `${name}:service`]);
    log(`The image has ${Math.round(size)} MB, that of the services ${Math.round(service)} MB.`);
    expect(size - service).toBeLessThan(75);
    const found = await engine.docker(["image", "inspect", "--format", "{{json .Config}}", image]);
    expect(JSON.parse(found)).toMatchObject({ User: "atelier", Labels: labels });
    const tests = "find /atelier/apps /atelier/packages -name '*.test.ts'";
    expect(
      await engine.docker(["run", "--rm", "--network", "none", image, "sh", "-c", tests]),
    ).toBe("");
  }, 1_800_000);

  it("starts with one command as user 10001, and only the API listens outside", async () => {
    await runCommand(commandWith("docker run --detach"));
    await untilHealthy(name);
    const owners = "cat /proc/[0-9]*/status 2>/dev/null | grep ^Uid: | sort --unique";
    expect(await engine.docker(["exec", name, "sh", "-c", owners])).toBe(
      "Uid:\t10001\t10001\t10001\t10001",
    );
    const sockets = "cat /proc/net/tcp /proc/net/tcp6 | awk '$4 == \"0A\" { print $2 }'";
    const listening = (await engine.docker(["exec", name, "sh", "-c", sockets])).split("\n");
    const isLoopback = (address: string) => /^(0B00007F|0100007F|0{24}01000000):/.test(address);
    const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
    expect(listening.filter((address) => !isLoopback(address))).toEqual([`00000000:${hexPort}`]);
  });

  it("has the first link in a file of its user, and no key, link or secret in its log", async () => {
    const file = "/data/first-sign-in";
    const mode = await engine.docker(["exec", name, "stat", "--format", "%a %u", file]);
    expect(mode).toBe("600 10001");
    expect(await signIn(name)).toBe(204);
    expect(await signIn(name)).toBe(401);
    expect(await countAccounts(name)).toBe(1);
    const secrets = JSON.parse(
      await engine.docker(["exec", name, "cat", "/data/secrets.json"]),
    ) as Record<string, string>;
    const printed = await logsOf(name);
    for (const secret of Object.values(secrets)) expect(printed).not.toContain(secret);
    expect(printed).not.toMatch(/#link=|atl_(?:live|test)_/);
  });

  it("makes images for the account of the page, with URLs that this machine reaches", async () => {
    const list = await runCommand(commandWith("accounts list"));
    accountId = /^([\da-f-]{36}) +operator/m.exec(list)?.[1] ?? "";
    await runCommand(commandWith("accounts top-up"));
    const created = await runCommand(commandWith("accounts keys create"));
    key = /atl_live_\w+/.exec(created)?.[0] ?? "";
    atelier = createAtelier({ baseUrl: url, apiKey: key, maxRetries: 30 });
    const generated = await atelier.generateImage({ model, prompt: "a lighthouse" });
    imageUrl = generated.image_url;
    expect(imageUrl.startsWith(url)).toBe(true);
    expect((await fetch(imageUrl)).status).toBe(200);
  });

  it("refuses other addresses without PUBLIC_URL, in one sentence", async () => {
    const headers = { host: `192.168.1.5:${port}` };
    const sent = request({ host: "127.0.0.1", port, path: "/v1/models", headers }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of response) text += String(chunk);
    expect(response.statusCode).toBe(400);
    expect(text).toContain(
      `sets PUBLIC_URL to the address of clients, such as http://192.168.1.5:${port}.`,
    );
  });

  it("refuses a volume in use, a folder of root and a database of another major version, in one line each", async () => {
    expect(await refusalOf(name)).toBe(
      "Another Atelier uses /data, such as one in another container. " +
        "Stop it first, or use another folder or volume.",
    );
    const folder = await mkdtemp(join(tmpdir(), "atelier-of-root-"));
    if (process.getuid?.() === 0) {
      expect(await refusalOf(folder)).toBe(
        "/data does not belong to the user who runs Atelier. " +
          "Give the folder to that user (chown -R 10001:10001), or use another folder or volume.",
      );
    }
    await rm(folder, { recursive: true });
    const old = `${name}-17`;
    volumes.add(old);
    const prepare =
      "mkdir -p /data/postgres/data && echo 17 >/data/postgres/data/PG_VERSION &&" +
      ` echo '${JSON.stringify(Object.fromEntries(["database_password", "url_signing_secret", "key_pepper", "admin_key"].map((secret) => [secret, "x".repeat(32)])))}' >/data/secrets.json`;
    const mount = ["--network", "none", "--volume", `${old}:/data`];
    await engine.docker(["run", "--rm", ...mount, image, "sh", "-c", prepare]);
    expect(await refusalOf(old)).toBe(
      "/data/postgres/data has a database of Postgres 17, and this version of Atelier runs Postgres 18. " +
        "Start the version of Atelier that created it, or use another folder or volume.",
    );
  });

  it("stops within 10 s while it makes images, and completes each once after the next start", async () => {
    const { balance_eur: before } = await atelier.account.get();
    const work = Array.from({ length: 8 }, (_, number) =>
      atelier.generateImage(
        { model, prompt: `view ${number}` },
        { idempotencyKey: `stop-${number}` },
      ),
    );
    const settled = Promise.allSettled(work);
    await new Promise((wake) => setTimeout(wake, 500));
    const stoppedAt = performance.now();
    await engine.docker(["stop", name]);
    log(`It stopped after ${((performance.now() - stoppedAt) / 1_000).toFixed(1)} s.`);
    // 137 is the exit code after Docker's own SIGKILL.
    expect(await stateOf(name, "{{.State.ExitCode}}")).toBe("0");
    await engine.docker(["start", name]);
    await untilHealthy(name);
    expect((await settled).filter(({ status }) => status === "rejected")).toEqual([]);
    const { balance_eur: after, held_eur: held } = await atelier.account.get();
    expect(Number(before) - Number(after)).toBeCloseTo(0.08, 6);
    expect(held).toBe("0.00");
  });

  it("is upgraded by a newer image on its volume after a kill, and loses nothing", async () => {
    const context = await mkdtemp(join(tmpdir(), "atelier-newer-"));
    const migration = "prisma/migrations/20991231000000_newer/migration.sql";
    await writeFile(
      join(context, "Dockerfile"),
      `FROM ${image}\nUSER root\nCOPY migration.sql ${migration}\nUSER atelier\n`,
    );
    await writeFile(join(context, "migration.sql"), "CREATE TABLE newer (id int);\n");
    await engine.docker(["build", "--quiet", "--tag", `${name}:new`, context]);
    await rm(context, { recursive: true });

    await runCommand(commandWith("atelier backup"));
    const work = atelier.generateImage({ model, prompt: "a kite" }, { idempotencyKey: "killed" });
    await new Promise((wake) => setTimeout(wake, 300));
    await engine.docker(["kill", name]);
    await runCommand(commandWith("docker rm"));
    await runCommand(commandWith("docker run --detach"), `${name}:new`);
    await untilHealthy(name);
    expect(await logsOf(name)).toContain("Database migrated");
    expect((await fetch((await work).image_url)).status).toBe(200);
    expect((await fetch(imageUrl)).status).toBe(200);
    expect(await countAccounts(name)).toBe(1);
    expect(await runCommand(commandWith("atelier audit"))).toContain("All invariants hold.");
  });

  it("restores a backup into a new volume, where keys and images work and the audit is clean", async () => {
    const restored = await runCommand(commandWith("atelier restore"));
    expect(restored).toContain("All invariants hold.");
    await runCommand(commandWith("docker stop"));
    await runCommand(commandWith("docker rm"));
    const command = commandWith("docker run --detach");
    await runCommand(command.replace("--volume atelier:", "--volume atelier-restored:"));
    await untilHealthy(name);
    expect((await fetch(imageUrl)).status).toBe(200);
    await atelier.generateImage({ model, prompt: "after the restore" });
    expect(await runCommand(commandWith("atelier audit"))).toContain("All invariants hold.");
  });

  it("completes a first start that was killed at any step, and lets one of two containers serve", async () => {
    const volume = `${name}-first`;
    const container = `${name}-killed`;
    for (const afterMs of [300, 900, 1_500, 2_500, 4_000, 6_000]) {
      await start(container, volume);
      await new Promise((wake) => setTimeout(wake, afterMs));
      await engine.docker(["kill", container]).catch(() => undefined);
      await engine.docker(["rm", "--force", container]);
    }
    const both = [`${name}-a`, `${name}-b`];
    await Promise.all(both.map((one) => start(one, volume)));
    const refused = await firstToEnd(both);
    expect(await stateOf(refused, "{{.State.ExitCode}}")).toBe("1");
    expect(await logsOf(refused)).toContain("Another Atelier uses /data");
    const [serving = ""] = both.filter((one) => one !== refused);
    await untilHealthy(serving);
    expect(await countAccounts(serving)).toBe(1);
    const link = await engine.docker(["exec", serving, "cat", "/data/first-sign-in"]);
    const redeem = `fetch("http://localhost:3000/studio/session", { method: "POST",
      headers: { "Content-Type": "application/json", "X-Atelier-Studio": "1" },
      body: JSON.stringify({ link: process.argv[1] }) }).then(({ status }) => console.log(status))`;
    const code = link.trim().split("#link=")[1] ?? "";
    expect(await engine.docker(["exec", serving, "node", "--eval", redeem, code])).toBe("204");
  });
});
