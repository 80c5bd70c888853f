import { X509Certificate } from "node:crypto";
import { statfs } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  compareMigrations,
  describeConnectionUse,
  readConnectionUse,
  type Database,
} from "@atelier/database";
import { readBackfills } from "@atelier/generations/retention";
import type { Connection } from "../connection.ts";
import { openStored } from "../open-stored.ts";

/** The installation as the checks see it. */
export interface Installation {
  readonly connection: Connection;
  readonly database: Database;
  /** Settings that the checks name; those that `npm start` chooses by itself are filled in. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Providers with a key, without the built-in ones; or why they cannot be loaded. */
  readonly vendors: readonly string[] | Error;
  readonly now: Date;
}

/** Says in a sentence what is missing; null if nothing is. */
type Problem = string | null;

/** A step of a first production. */
export interface ProductionCheck {
  /** Its heading in docs/production.md. */
  readonly title: string;
  readonly settings: readonly string[];
  /** The consequence without it, as docs/production.md says. */
  readonly without: string;
  readonly find: (installation: Installation) => Promise<Problem> | Problem;
}

const probeMs = 5_000;
const dayMs = 86_400_000;

/** Ages beyond which the alerts fire, too. */
const maxAuditMs = 7_200_000;
const maxBackupMs = 129_600_000;

/** Everything that a first production needs, in its order. docs/production.md is compared with it. */
export const productionChecks: readonly ProductionCheck[] = [
  {
    title: "Address and TLS",
    settings: ["PUBLIC_URL"],
    without:
      "Responses, links and signed URLs name an address that clients cannot reach, or keys and images pass the network unencrypted.",
    find: ({ settings }) => checkAddress(settings["PUBLIC_URL"]),
  },
  {
    title: "Proxies",
    settings: ["TRUSTED_PROXIES"],
    without:
      "Limits by client address count all clients of a proxy as one: 60 wrong keys a minute lock out new clients.",
    find: ({ settings }) =>
      !isHttps(settings["PUBLIC_URL"]) || isSet(settings["TRUSTED_PROXIES"])
        ? null
        : "PUBLIC_URL is served by a proxy with TLS, and TRUSTED_PROXIES does not name it.",
  },
  {
    title: "Address of the storage",
    settings: ["STORAGE_URL"],
    without: "Clients cannot fetch their images, or fetch them unencrypted.",
    find: checkStorage,
  },
  {
    title: "Secrets",
    settings: ["KEY_PEPPER", "URL_SIGNING_SECRET", "WATERMARK_SECRET"],
    without:
      "Keys and signed URLs cannot be checked, and images are signed without a watermark, which article 50 of the AI Act expects.",
    find: ({ settings }) =>
      unset(settings, ["KEY_PEPPER", "URL_SIGNING_SECRET", "WATERMARK_SECRET"]),
  },
  {
    title: "Certificate",
    settings: ["SIGNING_CERTIFICATE_CHAIN", "SIGNING_PRIVATE_KEY", "SIGNING_TRUST_ANCHORS"],
    without:
      "Public verifiers show the images as made by an unknown signer, and after the certificate expires no image can be signed.",
    find: ({ settings, now }) => checkCertificate(settings["SIGNING_CERTIFICATE_CHAIN"], now),
  },
  {
    title: "Time stamps",
    settings: ["TIME_STAMP_URL"],
    without: "Manifests are no longer valid after the certificate has expired.",
    find: ({ settings }) => unset(settings, ["TIME_STAMP_URL"]),
  },
  {
    title: "Moderation",
    settings: ["MODERATION"],
    without:
      "The built-in rules decide alone: they know words of fifteen languages, and neither pictures nor what is meant.",
    find: ({ settings }) =>
      (settings["MODERATION"] ?? "rules") === "rules"
        ? "MODERATION names no remote model, so the rules decide alone."
        : null,
  },
  {
    title: "Vendor keys",
    settings: ["OPENAI_API_KEY", "PROVIDERS_FILE"],
    without: "Clients can only use the built-in models, which draw and do not know the world.",
    find: ({ vendors }) =>
      vendors instanceof Error
        ? vendors.message
        : vendors.length > 0
          ? null
          : "No vendor has a key, and PROVIDERS_FILE names no server.",
  },
  {
    title: "Currency",
    settings: ["EUR_PER_USD"],
    without: "What vendors charge in USD, and so the margin, is unknown in reports and alerts.",
    find: ({ settings, vendors }) =>
      vendors instanceof Error || vendors.length === 0 ? null : unset(settings, ["EUR_PER_USD"]),
  },
  {
    title: "Retention",
    settings: ["RETENTION_HOURS", "JOB_RETENTION_DAYS"],
    without: "Requests and prompts of all jobs are kept for ever.",
    find: ({ settings }) => unset(settings, ["JOB_RETENTION_DAYS"]),
  },
  {
    title: "Connections",
    settings: ["POSTGRES_CONNECTIONS", "DATABASE_DIRECT_URL"],
    without: "Under load, programs cannot connect to Postgres, and requests fail.",
    async find({ database }) {
      const problem = describeConnectionUse(await readConnectionUse(database));
      return problem === null ? null : `${problem[0]?.toUpperCase()}${problem.slice(1)}.`;
    },
  },
  {
    title: "Backups",
    settings: ["BACKUP_FOLDER"],
    without: "Accounts, credit and jobs are lost with the machine.",
    find: ({ database, now }) => checkRun(database, "backup", maxBackupMs, now),
  },
  {
    title: "The audit",
    settings: [],
    without: "A violated invariant, such as a wrong balance, goes unnoticed.",
    find: ({ database, now }) => checkRun(database, "audit", maxAuditMs, now),
  },
  {
    title: "Alerts",
    settings: ["METRICS_TOKEN", "ALERT_WEBHOOK_URL", "ALERT_MAIL_TO"],
    without: "Nobody is told when a worker is dead, a disk fills or the audit fails.",
    find: ({ settings }) =>
      unset(settings, ["METRICS_TOKEN"]) ??
      (isSet(settings["ALERT_WEBHOOK_URL"]) || isSet(settings["ALERT_MAIL_TO"])
        ? null
        : "Neither ALERT_WEBHOOK_URL nor ALERT_MAIL_TO is set."),
  },
  {
    title: "Disks",
    settings: ["ATELIER_HOME"],
    without: "A full disk stops Postgres, which does not start again until there is space.",
    find: checkDisk,
  },
  {
    title: "Updates",
    settings: [],
    without: "Programs of this version fail on an older schema, and old rows lack what it needs.",
    find: checkUpdates,
  },
];

const isSet = (value: string | undefined) => value !== undefined && value !== "";

function unset(settings: Installation["settings"], names: readonly string[]): Problem {
  const missing = names.filter((name) => !isSet(settings[name]));
  if (missing.length === 0) return null;
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set.`;
}

function isHttps(url: string | undefined): boolean {
  return url?.startsWith("https://") === true;
}

const isLoopback = (host: string) => /^(localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(host);

/** A public address with TLS, or what is wrong with it. */
function describeAddress(name: string, url: string | undefined): Problem {
  if (url === undefined || !URL.canParse(url)) return `${name} is not set.`;
  const { hostname, protocol } = new URL(url);
  if (isLoopback(hostname)) return `${name} is ${hostname}, which only this machine reaches.`;
  return protocol === "https:" ? null : `${name} has no TLS: set an https:// address.`;
}

async function checkAddress(url: string | undefined): Promise<Problem> {
  const problem = describeAddress("PUBLIC_URL", url);
  if (problem !== null) return problem;
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(probeMs) });
    return response.ok ? null : `${url}/readyz answers ${response.status}.`;
  } catch {
    return `${url}/readyz does not answer here.`;
  }
}

/** Images in files are served by the API, those of S3 by the address `public` of STORAGE_URL. */
async function checkStorage({ connection: { storageUrl } }: Installation): Promise<Problem> {
  if (storageUrl === null) return "STORAGE_URL is not set.";
  try {
    await (await openStored(storageUrl)).close();
  } catch (error) {
    return (error as Error).message;
  }
  if (!storageUrl.startsWith("s3:")) return null;
  const url = new URL(storageUrl);
  const scheme = url.searchParams.get("tls") === "false" ? "http" : "https";
  const address = url.searchParams.get("public") ?? `${scheme}://${url.host}`;
  return describeAddress("The public address of STORAGE_URL", address);
}

function checkCertificate(pem: string | undefined, now: Date): Problem {
  if (pem === undefined) return "SIGNING_CERTIFICATE_CHAIN is not set.";
  try {
    const certificate = new X509Certificate(pem);
    const days = Math.floor((Date.parse(certificate.validTo) - now.getTime()) / dayMs);
    if (days < 30) return `The certificate expires in ${days} days.`;
    return certificate.issuer.includes("Atelier development authority")
      ? "The certificate is for development: public verifiers do not know its signer."
      : null;
  } catch {
    return "SIGNING_CERTIFICATE_CHAIN is not a certificate in PEM.";
  }
}

/** The last success of a task must not be older than the alert allows. */
async function checkRun(
  database: Database,
  task: "audit" | "backup",
  maxMs: number,
  now: Date,
): Promise<Problem> {
  // Before an upgrade, the table is missing: "Updates" says so.
  const [table] = await database.query<{ exists: boolean }>(
    "SELECT to_regclass('maintenance') IS NOT NULL AS exists",
  );
  const rows =
    table?.exists === true
      ? await database.query<{ succeededAt: Date | null; problems: number }>(
          `SELECT last_success_at AS "succeededAt", problems FROM maintenance WHERE task = $1`,
          [task],
        )
      : [];
  const [run] = rows;
  if (run !== undefined && run.problems > 0) {
    return `The last ${task} found ${run.problems} violated invariants.`;
  }
  if (run === undefined || run.succeededAt === null) return `No ${task} was completed yet.`;
  const hours = Math.floor((now.getTime() - run.succeededAt.getTime()) / 3_600_000);
  return hours * 3_600_000 >= maxMs ? `The last ${task} is ${hours} hours old.` : null;
}

/** The disks of this machine that the installation writes to. */
async function checkDisk({ connection: { home, storageUrl } }: Installation): Promise<Problem> {
  const folders = [
    ...(home === null ? [] : [home]),
    ...(storageUrl?.startsWith("file:///") === true ? [fileURLToPath(storageUrl)] : []),
  ];
  for (const folder of folders) {
    const found = await statfs(folder).catch(() => null);
    if (found === null || found.blocks === 0) continue;
    const share = Math.floor((100 * found.bavail) / found.blocks);
    if (share < 10) return `${share} % of the disk of ${folder} is free.`;
  }
  return null;
}

async function checkUpdates({ database }: Installation): Promise<Problem> {
  const { pending, newer } = await compareMigrations(database);
  if (pending.length > 0) {
    return `The database lacks ${pending.length} migrations of this version: run migrate.`;
  }
  if (newer.length > 0) return "The database was migrated by a newer version than this one.";
  const unfinished = (await readBackfills(database)).filter(
    ({ finishedAt }) => finishedAt === null,
  );
  return unfinished.length === 0
    ? null
    : `Backfills are not finished: ${unfinished.map(({ name }) => name).join(", ")}.`;
}
