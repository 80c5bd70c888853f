import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processTuning } from "@atelier/process";
import type { CertificateFiles } from "./certificates.ts";
import { startNodeProcess } from "./node-process.ts";
import type { Ports } from "./ports.ts";
import type { Postgres } from "./postgres.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { supervise, type Supervised, type Supervision } from "./supervise.ts";

/** The supervised programs, each in its own process. */
type ChildName = "api" | "worker";

interface ChildrenOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly logs: Readonly<Record<ChildName, string>>;
}

/** Creates the log files to which the output of each child is appended. */
export async function makeLogFiles(home: string): Promise<Record<ChildName, string>> {
  const directory = join(home, "logs");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return { api: join(directory, "api.log"), worker: join(directory, "worker.log") };
}

/**
 * Starts API and worker in parallel and restarts them when they exit.
 *
 * @throws the first error, after both starts have ended, if either fails.
 */
export async function startChildren(
  options: ChildrenOptions,
  supervision: Supervision,
): Promise<Record<ChildName, Supervised>> {
  const startOne = (child: ChildName, name: string) => {
    const script = fileURLToPath(new URL(`../../${child}/src/main.ts`, import.meta.url));
    const logFile = options.logs[child];
    const { OPERATOR_LOG_KEY: _, ...ofWorker } = options.environment;
    const environment = child === "worker" ? ofWorker : options.environment;
    const stopTimeoutMs = child === "worker" ? workerStopMs(environment) : undefined;
    const process = { name, script, environment, logFile, stopTimeoutMs };
    const start = (signal: AbortSignal) => startNodeProcess(process, signal);
    return supervise({ name, start }, supervision);
  };
  const starting = [startOne("api", "The API"), startOne("worker", "The worker")] as const;
  try {
    const [api, worker] = await Promise.all(starting);
    return { api, worker };
  } catch (error) {
    for (const one of await Promise.allSettled(starting)) {
      if (one.status === "fulfilled") await one.value.stop();
    }
    throw error;
  }
}

/** After its drain, the worker hands unfinished renders back and exits. */
function workerStopMs({ WORKER_DRAIN_SECONDS }: Readonly<Record<string, string>>): number {
  return (Number(WORKER_DRAIN_SECONDS) + 3) * 1_000;
}

/** Ctrl-C and `docker stop` end everything within ten seconds. */
const stopsInTime = { WORKER_DRAIN_SECONDS: "5" };

/**
 * Returns the environment of both programs: generated values, then the user's variables, then
 * values derived from them.
 */
export function childEnvironment(options: {
  readonly settings: Settings;
  readonly ports: Ports;
  readonly postgres: Postgres;
  readonly secrets: Secrets;
  readonly certificates: CertificateFiles;
}): Record<string, string> {
  const { settings, ports, postgres, secrets, certificates } = options;
  const hasOwnSigning = Object.keys(settings.environment).some((key) => key.startsWith("SIGNING_"));
  return {
    // Loading the programs takes most of the start time; cached compilation halves it.
    NODE_COMPILE_CACHE: join(settings.home, "compile-cache"),
    ...processTuning,
    // A value that the user keeps in a file stays out of the environment.
    ...(!("STORAGE_URL_FILE" in settings.environment) && { STORAGE_URL: settings.storageUrl }),
    URL_SIGNING_SECRET: secrets.url_signing_secret,
    KEY_PEPPER: secrets.key_pepper,
    ADMIN_KEY: secrets.admin_key,
    WATERMARK_SECRET: secrets.watermark_secret,
    // The operators' console writes to the log; workers do not get the key.
    ...(!("OPERATOR_LOG_KEY_FILE" in settings.environment) && {
      OPERATOR_LOG_KEY: secrets.operator_log_key,
    }),
    ...stopsInTime,
    // The user's own certificate has its own key and roots, which are never mixed with generated
    // ones.
    ...(!hasOwnSigning && {
      SIGNING_CERTIFICATE_CHAIN_FILE: certificates.chain,
      SIGNING_PRIVATE_KEY_FILE: certificates.privateKey,
      SIGNING_TRUST_ANCHORS_FILE: certificates.trustAnchors,
      OLD_SIGNING_CERTIFICATES_FILE: certificates.oldSigningCertificates,
    }),
    ...settings.environment,
    // A filled copy of .env.example has values for several machines.
    ...(settings.localOnly && { LOCAL_ONLY: "on" }),
    ...(settings.container && stopsInTime),
    DATABASE_URL: settings.databaseUrl ?? postgres.url,
    PUBLIC_URL: settings.publicUrl,
    HOST: settings.host,
    PORT: String(ports.api),
    ADMIN_PORT: String(ports.admin),
  };
}
