import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEnvironment, UsageError } from "@atelier/configuration";
import { applyMigrations, setRoleDefaults } from "@atelier/database";
import { readOrMakeCertificates } from "./certificates.ts";
import { childEnvironment, makeLogFiles, startChildren } from "./children.ts";
import { noDemoAccount, openDemoAccount } from "./demo-account.ts";
import { describeError } from "./describe-error.ts";
import { firstSignInFile, openFirstAccount } from "./first-account.ts";
import { explainFailure, hasFirstImage, makeFirstImage, type FirstImage } from "./first-image.ts";
import { announceInstallation } from "./local-installation.ts";
import { lockHome } from "./lock.ts";
import { choosePorts } from "./ports.ts";
import { openPostgres } from "./postgres.ts";
import { createProgress } from "./progress.ts";
import { readOrMakeSecrets } from "./secrets.ts";
import { help, readSettings, type Settings } from "./settings.ts";
import { Interrupted, interruptedExitCode, prepareShutdown } from "./shutdown.ts";
import { startRotation } from "./rotate-logs.ts";
import { buildStudio, createStudioUrl } from "./studio.ts";
import { warnOfRoot } from "./warn-of-root.ts";
import { summaryAsJson, summaryAsProse, type Summary } from "./summary.ts";

/**
 * `npm start`: starts everything, generates one image in a new home, then serves until Ctrl-C. In a container it makes
 * no image, and prints no key and no link.
 */
async function start(settings: Settings): Promise<void> {
  const { home, baseUrl } = settings;
  const output = settings.json ? process.stderr : process.stdout;
  const progress = createProgress({ output, canRedraw: settings.canRedraw });
  await using shutdown = prepareShutdown(progress);
  const { interrupted, step } = shutdown;
  const supervision = { interrupted, report: (sentence: string) => progress.warn(sentence) };

  shutdown.defer(await lockHome(home));
  const ports = await choosePorts(settings);
  if (ports.admin !== (settings.adminPort ?? ports.api + 1)) {
    progress.note(`Port ${ports.api + 1} is in use: the queues are shown on ${ports.admin}`);
  }
  const rootProblem = warnOfRoot(process.getuid?.());
  if (rootProblem !== null) progress.warn(rootProblem);
  // The image has the pages of Studio, and not their sources.
  const studioBuild = settings.container ? null : buildStudio(interrupted);
  const secrets = await readOrMakeSecrets(home);
  const certificates = await readOrMakeCertificates(home);
  const keyPepper = settings.keyPepper ?? secrets.key_pepper;
  const keyPeppers = [keyPepper, ...settings.oldKeyPeppers] as const;

  const postgres = await step(
    "Starting Postgres",
    () => openPostgres(settings, secrets.database_password, supervision),
    ({ port }) => (port === null ? "Your own Postgres is used" : "Postgres is up"),
  );
  shutdown.stopLater("Postgres", postgres.processes);
  await step(
    "Migrating the database",
    async () => {
      const applied = await applyMigrations(postgres.url);
      // A pooler passes on no startup parameters.
      if (settings.databaseDirectUrl !== null) await setRoleDefaults(postgres.url);
      return applied;
    },
    ({ length }) => (length === 0 ? "Database is up to date" : "Database migrated"),
  );
  const demo = settings.container
    ? null
    : await step(
        "Opening the demo account",
        () => openDemoAccount(postgres.url, { home, baseUrl, keyPeppers }),
        (found) => (found === null ? "No demo account is open" : "Demo account is open"),
      );
  if (settings.container) {
    const options = { home, publicUrl: settings.publicUrl, keyPepper };
    const isNew = await openFirstAccount(postgres.url, options);
    if (isNew) progress.note(`The link for the first sign-in is in ${firstSignInFile(home)}`);
  }
  const logs = await makeLogFiles(home);
  const rotation = startRotation(
    [...Object.values(logs), join(home, "postgres", "postgres.log")],
    supervision.report,
  );
  shutdown.defer(() => rotation.stop());
  const environment = childEnvironment({ settings, ports, postgres, secrets, certificates });
  const { api, worker } = await step(
    "Starting API and worker",
    () => startChildren({ environment, logs }, supervision),
    () => `API and worker serve ${baseUrl}`,
  );
  shutdown.stopLater("API and worker", [api, worker]);
  const installation = {
    database_url: postgres.url,
    key_pepper: keyPepper,
    operator_log_key: secrets.operator_log_key,
    storage_url: settings.storageUrl,
  };
  shutdown.defer(await announceInstallation(home, installation));
  const servingAfterMs = performance.now();

  let image: FirstImage | null = null;
  let problem: string | null = null;
  if (demo === null) {
    problem = settings.container ? null : noDemoAccount;
  } else if (!(await hasFirstImage(home))) {
    const trustAnchorsPem =
      settings.trustAnchorsPem ?? (await readFile(certificates.trustAnchors, "utf8"));
    try {
      image = await makeFirstImage({ home, demo, trustAnchorsPem, step, interrupted });
    } catch (error) {
      interrupted.throwIfAborted();
      problem = explainFailure(error, demo);
    }
  }
  if (problem !== null) progress.warn(problem);

  const studioProblem = await studioBuild;
  interrupted.throwIfAborted();
  if (studioProblem !== null) progress.warn(studioProblem);
  const canSignIn = demo !== null && studioProblem === null && !settings.once;
  const service = { url: settings.publicUrl, key: demo?.api_key ?? "", keyPepper };

  const [database] = postgres.processes;
  const summary: Summary = {
    settings,
    demo,
    image,
    problem,
    studioUrl: canSignIn ? await createStudioUrl(postgres.url, service) : null,
    ports: { ...ports, postgres: postgres.port },
    pids: { api: api.pid, worker: worker.pid, postgres: database?.pid ?? null },
    logs,
    servingAfterMs,
  };
  process.stdout.write(settings.json ? summaryAsJson(summary) : summaryAsProse(summary));
  if (!settings.once) await shutdown.untilInterrupted();
  else if (problem !== null) process.exitCode = 1;
}

try {
  const settings = readSettings(process.argv.slice(2), readEnvironment());
  if (settings === null) process.stdout.write(help);
  else await start(settings);
} catch (error) {
  if (!(error instanceof Interrupted)) process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return interruptedExitCode;
  return error instanceof UsageError ? 2 : 1;
}
