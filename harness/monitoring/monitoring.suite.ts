import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  statfs,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAtelier } from "@atelier/client";
import { createDatabase } from "@atelier/database";
import { freePorts, startEmbeddedPostgres, type EmbeddedPostgres } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse, stringify } from "yaml";
import {
  findPrometheus,
  startAlertmanager,
  startNodeExporter,
  startPrometheus,
  type PrometheusPrograms,
  type RunningPrometheus,
} from "./prometheus.ts";
import { startReceivers } from "./receivers.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const deploy = join(root, "deploy/prometheus");
const log = (line: string) => void process.stderr.write(`${line}\n`);

const found = await findPrometheus(log);
if ("unavailable" in found) {
  const line = `The monitoring suite is skipped: ${found.unavailable}.`;
  if (process.env["REQUIRE_ALL_SUITES"] === "1") throw new Error(line);
  log(line);
}

/** Output of `npm run fleet -- --json`. */
interface Fleet {
  readonly base_url: string;
  readonly api_key: string;
  readonly metrics_urls: { readonly apis: string[]; readonly workers: string[] };
  readonly metrics_token: string;
  readonly pids: { readonly workers: number[] };
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Short, so that rates over a few seconds have values. */
const scrapeSeconds = 1;

describe.skipIf("unavailable" in found)("promtool", () => {
  const { promtool } = found as PrometheusPrograms;

  it("accepts the configuration and the rules", async () => {
    const check = async (kind: string, ...args: string[]) =>
      (await execute(promtool, ["check", kind, ...args])).stdout;
    const configuration = join(deploy, "prometheus.yml");
    expect(await check("config", "--syntax-only", configuration)).toContain("SUCCESS");
    expect(await check("rules", join(deploy, "alerts.yml"))).toContain("SUCCESS");
  });

  it("passes the unit tests of every alert", async () => {
    const file = join(deploy, "alerts.test.yml");
    expect((await execute(promtool, ["test", "rules", file])).stdout).toContain("SUCCESS");
  });
});

describe.skipIf("unavailable" in found)("Prometheus on a running fleet", () => {
  const programs = found as PrometheusPrograms;
  let directory: string;
  let child: ChildProcess;
  let fleet: Fleet;
  let postgres: EmbeddedPostgres;
  let prometheus: RunningPrometheus;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-monitoring-"));
    const [port = 0] = await freePorts(1);
    // Postgres may run as another user.
    await chmod(directory, 0o755);
    postgres = await startEmbeddedPostgres({
      directory: join(directory, "postgres"),
      port,
      password: "monitoring",
    });
    ({ child, fleet } = await startFleet(postgres.url("postgres")));
    await copyFile(join(deploy, "alerts.yml"), join(directory, "alerts.yml"));
    await writeFile(join(directory, "token"), fleet.metrics_token);
    prometheus = await startPrometheus(programs.prometheus, directory, await configure(fleet));
    await produceMetrics(fleet);
  });

  afterAll(async () => {
    await prometheus?.stop();
    if (child?.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it("scrapes every API and every worker with the token for metrics", async () => {
    const { apis, workers } = fleet.metrics_urls;
    const expected = new Map([...apis, ...workers].map((url) => [url, "up"]));
    await vi.waitFor(async () => expect(await prometheus.targets()).toEqual(expected), {
      timeout: 20_000,
      interval: 500,
    });
  });

  it("returns data for every query of the dashboard", async () => {
    const text = await readFile(join(root, "deploy/grafana/dashboard.json"), "utf8");
    const all = (JSON.parse(text) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr: expr.replaceAll("$__rate_interval", "30s") })),
    );
    // The providers of this fleet have no servers of their own.
    const queries = all.filter(({ expr }) => !expr.includes("atelier_server_"));
    expect(queries.length).toBeGreaterThan(20);
    await vi.waitFor(
      async () => {
        // A rate needs a counter that one worker raised between two scrapes, and any worker may take an image.
        await produceImages(fleet);
        const answers = await Promise.all(
          queries.map(async ({ title, expr }) => ({
            query: `${title}: ${expr}`,
            series: (await prometheus.query(expr)).filter(({ value }) => value[1] !== "NaN").length,
          })),
        );
        expect(answers.filter(({ series }) => series === 0)).toEqual([]);
      },
      { timeout: 60_000, interval: 1_000 },
    );
    log(`${queries.length} dashboard queries have data.`);
  });

  it("evaluates every alert without an error, and none is active", async () => {
    await vi.waitFor(
      async () => {
        const rules = await prometheus.rules();
        expect(rules.length).toBeGreaterThanOrEqual(20);
        expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
        expect(rules.filter(({ state }) => state !== "inactive")).toEqual([]);
      },
      { timeout: 30_000, interval: 500 },
    );
  });

  it("notices a killed worker", async () => {
    const [worker = 0] = fleet.pids.workers;
    process.kill(worker, "SIGKILL");
    await vi.waitFor(
      async () => {
        const rules = await prometheus.rules();
        const active = rules.filter(({ state }) => state === "pending").map(({ name }) => name);
        expect(active).toEqual(["AtelierProcessDown"]);
      },
      { timeout: 20_000, interval: 500 },
    );
  });

  it("tells a webhook and a mail receiver of a broken invariant, an old backup, a full disk and a dead worker", async () => {
    await using closing = new AsyncDisposableStack();
    const receivers = await startReceivers();
    closing.defer(() => receivers.close());
    const alertmanager = await startAlertmanager(programs, join(directory, "alertmanager"), {
      ALERT_WEBHOOK_URL: receivers.webhookUrl,
      ALERT_MAIL_TO: "operators@example.com",
      ALERT_SMTP_HOST: receivers.mailServer,
      ALERT_SMTP_TLS: "false",
    });
    closing.defer(() => alertmanager.stop());
    await mountFullDisk(directory, closing);
    const node = await startNodeExporter(programs.nodeExporter, join(directory, "node"));
    closing.defer(() => node.stop());

    // The worker of the test before is dead. Waiting shows nothing here.
    const rules = (await readFile(join(deploy, "alerts.yml"), "utf8")).replaceAll(
      /^( +for:) \d+m$/gm,
      "$1 2s",
    );
    const place = join(directory, "alerting");
    await mkdir(place);
    await writeFile(join(place, "alerts.yml"), rules);
    const configuration = await configure(fleet, {
      alertmanager: alertmanager.address,
      node: node.address,
    });
    const alerting = await startPrometheus(programs.prometheus, place, configuration);
    closing.defer(() => alerting.stop());

    const operate = (...args: string[]) =>
      execute(process.execPath, [join(root, "apps/cli/src/main.ts"), ...args], {
        env: {
          PATH: process.env["PATH"],
          DATABASE_URL: postgres.url("postgres"),
          ATELIER_ENV_FILE: "/dev/null",
        },
      });
    const database = createDatabase({
      url: postgres.url("postgres"),
      poolSize: 1,
      applicationName: "test",
    });
    closing.defer(() => database.close());
    await operate("backup-done");
    await database.query("UPDATE maintenance SET last_success_at = now() - interval '3 days'");
    await database.transaction(async (sql) => {
      await sql.query("SET LOCAL session_replication_role = replica");
      await sql.query("UPDATE account SET balance_micro_eur = balance_micro_eur + 1");
    });
    await expect(operate("audit")).rejects.toThrow("Command failed");

    const expected = [
      "AtelierAuditFailed",
      "AtelierBackupMissing",
      "AtelierDiskFilling",
      "AtelierProcessDown",
    ];
    await vi.waitFor(
      () => {
        const mails = receivers.mails.join("\n");
        expect([...receivers.alerts]).toEqual(expect.arrayContaining(expected));
        expect(expected.filter((name) => !mails.includes(name))).toEqual([]);
      },
      { timeout: 90_000, interval: 500 },
    );
    expect(receivers.mails[0]).toContain("operators@example.com");
  });

  /** The configuration of the repository, with the ports of the fleet and of others. */
  async function configure(
    { metrics_urls: urls }: Fleet,
    others: { readonly alertmanager: string | null; readonly node: string | null } = {
      alertmanager: null,
      node: null,
    },
  ): Promise<string> {
    interface Configuration {
      global: object;
      alerting: object;
      scrape_configs: { job_name: string; authorization?: object }[];
    }
    const {
      scrape_configs: jobs,
      alerting: _,
      ...rest
    } = parse(await readFile(join(deploy, "prometheus.yml"), "utf8")) as Configuration;
    const hosts = (all: readonly string[]) => all.map((url) => new URL(url).host);
    const targetsOf: Readonly<Record<string, readonly string[]>> = {
      "atelier-api": hosts(urls.apis),
      "atelier-worker": hosts(urls.workers),
      node: others.node === null ? [] : [others.node],
    };
    const interval = `${scrapeSeconds}s`;
    return stringify({
      ...rest,
      global: {
        scrape_interval: interval,
        scrape_timeout: interval,
        evaluation_interval: interval,
      },
      ...(others.alertmanager !== null && {
        alerting: { alertmanagers: [{ static_configs: [{ targets: [others.alertmanager] }] }] },
      }),
      scrape_configs: jobs.map(({ job_name: name, authorization }) => ({
        job_name: name,
        ...(authorization && { authorization: { credentials_file: join(directory, "token") } }),
        static_configs: [{ targets: targetsOf[name] ?? [] }],
      })),
    });
  }
});

/** A file system of its own that is full. Needs root. */
async function mountFullDisk(directory: string, closing: AsyncDisposableStack): Promise<void> {
  const disk = join(directory, "disk");
  const folder = join(directory, "full");
  await mkdir(folder);
  await writeFile(disk, "");
  await truncate(disk, 16 * 1024 ** 2);
  await execute("mkfs.ext4", ["-q", "-F", disk]);
  await execute("mount", ["-o", "loop", disk, folder]);
  closing.defer(async () => void (await execute("umount", [folder])));
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, "data"), Buffer.alloc(Math.floor(bavail * bsize * 0.97)));
}

async function startFleet(databaseUrl: string): Promise<{ child: ChildProcess; fleet: Fleet }> {
  const args = ["--apis", "2", "--workers", "2", "--port", "0", "--json"];
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, "apps/fleet/src/main.ts"), ...args], {
    env: { PATH, HOME, ATELIER_ENV_FILE: "/dev/null", DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(() => Promise.reject(new Error("the fleet did not start"))),
  ])) as [string];
  return { child, fleet: JSON.parse(line) as Fleet };
}

/** Creates images, a story and refused requests, so that every metric has a value. */
async function produceMetrics(fleet: Fleet): Promise<void> {
  await Promise.all([
    produceImages(fleet),
    clientOf(fleet).generateStory({
      model: "builtin-illustrator",
      prompt: "A short tale of a lost kite",
      characters: [{ name: "Mira", description: "a woman with long red hair" }],
      locations: [{ name: "Beach", description: "a wide beach with dunes" }],
      scenes: [
        { prompt: "Mira flies a kite", characters: [{ name: "Mira" }], location: "Beach" },
        { prompt: "Mira follows the kite", characters: [{ name: "Mira" }], location: "Beach" },
      ],
    }),
    fetch(`${fleet.base_url}/no-such-path`),
  ]);
}

async function produceImages(fleet: Fleet): Promise<void> {
  const image = () =>
    clientOf(fleet).generateImage({ model: "builtin-pattern", prompt: "blue waves" });
  await Promise.all([image(), image(), fetch(`${fleet.base_url}/v1/account`)]);
}

const clientOf = ({ base_url: baseUrl, api_key: apiKey }: Fleet) =>
  createAtelier({ baseUrl, apiKey });
