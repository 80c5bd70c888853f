import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment, UsageError } from "@atelier/configuration";
import { makeEnvironment } from "./environment.ts";
import type { Program } from "@atelier/process";
import { openAccount } from "./open-account.ts";
import { help, readSettings, type Settings } from "./settings.ts";
import { startFleet } from "./start-fleet.ts";
import { startServices } from "./start-services.ts";

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** `npm run fleet`: starts everything, creates an account, then serves until Ctrl-C. */
async function run(settings: Settings, interrupted: AbortSignal): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
  closing.defer(() => rm(directory, { recursive: true, force: true }));
  // Postgres may run as another user.
  await chmod(directory, 0o755);

  log("Starting Postgres, the queues and the storage");
  const own = readEnvironment();
  const { DATABASE_URL, DATABASE_DIRECT_URL, QUEUE_URL, STORAGE_URL } = own;
  const externalUrls = {
    database: DATABASE_URL,
    directDatabase: DATABASE_DIRECT_URL,
    queue: QUEUE_URL,
    storage: STORAGE_URL,
  };
  const urls = await startServices({ ...settings, directory, externalUrls, log }, closing);
  interrupted.throwIfAborted();

  log(`Starting ${settings.apis} APIs and ${settings.workers} workers`);
  const environment = await makeEnvironment(own, urls);
  const report = log;
  const fleet = await startFleet({
    ...settings,
    environment,
    directory,
    report,
    signal: interrupted,
  });
  closing.defer(() => fleet.stop());
  const account = await openAccount(urls.directDatabase, environment["KEY_PEPPER"] ?? "");
  interrupted.throwIfAborted();

  const pids = {
    fleet: process.pid,
    apis: fleet.apis().map(({ pid }) => pid),
    workers: fleet.workers().map(({ pid }) => pid),
  };
  const admin = fleet.apis().map(({ ports }) => `http://127.0.0.1:${ports.admin}/queues`);
  const adminKey = environment["ADMIN_KEY"];
  if (settings.json) {
    const metricsOf = (programs: readonly Program[]) =>
      programs.map(({ ports }) => `http://127.0.0.1:${ports.admin}/metrics`);
    const facts = {
      base_url: fleet.url,
      ...account,
      admin_urls: admin,
      admin_key: adminKey,
      metrics_urls: { apis: metricsOf(fleet.apis()), workers: metricsOf(fleet.workers()) },
      metrics_token: environment["METRICS_TOKEN"],
      pids,
    };
    process.stdout.write(`${JSON.stringify({ ...facts, logs: directory })}\n`);
  } else {
    process.stdout.write(
      `\n  API       ${fleet.url}\n  Key       ${account.api_key}\n` +
        `  Queues    ${admin.join("  ")}  (any name; password: ${adminKey})\n` +
        `  Logs      ${directory}\n` +
        `  Restart   kill -USR2 ${process.pid}\n\nServing. Ctrl-C ends everything.\n`,
    );
  }

  // Restarts run one at a time, however many are requested.
  let restarting = Promise.resolve();
  process.on("SIGUSR2", () => {
    restarting = restarting
      .then(() => fleet.restart())
      .then(
        () => log("All APIs and workers were restarted."),
        (error: Error) => log(`The restart failed: ${error.message}`),
      );
  });
  if (!interrupted.aborted) await once(interrupted, "abort");
  log("Stopping");
  await restarting;
}

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interruption.abort());
}
try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === null) process.stdout.write(help);
  else await run(settings, interruption.signal);
} catch (error) {
  if (!interruption.signal.aborted) {
    log((error as Error).message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
