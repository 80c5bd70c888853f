import { readdir, readFile } from "node:fs/promises";
import { readEnvExample } from "@atelier/testing";
import { parse, parseAllDocuments } from "yaml";

const root = new URL("../../", import.meta.url);

export type Program = "api" | "worker" | "cli";

/** Headings of `.env.example`; tests compare them with the variables that each program reads. */
const headings: Readonly<Record<Program, readonly string[]>> = {
  api: ["Every program", "API and worker", "API"],
  worker: ["Every program", "API and worker", "Worker"],
  // `models check` and `doctor` report the settings of all programs.
  cli: ["Every program", "API and worker", "API", "Worker", "Commands of operators"],
};

/** Variables of another heading that a program reads, too. */
const alsoRead: Readonly<Record<Program, readonly string[]>> = {
  api: ["MODERATION", "OPERATOR_LOG_KEY"],
  worker: [],
  // `doctor` checks them, and whether the limit of Postgres suffices.
  cli: ["ALERT_WEBHOOK_URL", "ALERT_MAIL_TO"],
};

/** Variables that must be set through files. */
const secretVariables = new Set([
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "QUEUE_URL",
  "STORAGE_URL",
  "URL_SIGNING_SECRET",
  "KEY_PEPPER",
  "OLD_KEY_PEPPERS",
  "WATERMARK_SECRET",
  "WATERMARK_OLD_SECRETS",
  "METRICS_TOKEN",
  "ADMIN_KEY",
  "SIGNING_CERTIFICATE_CHAIN",
  "SIGNING_PRIVATE_KEY",
  "SIGNING_TRUST_ANCHORS",
]);

/** A program does not start without these. */
const required: Readonly<Record<Program, readonly string[]>> = {
  api: ["DATABASE_URL", "STORAGE_URL", "PUBLIC_URL", "URL_SIGNING_SECRET", "KEY_PEPPER"],
  worker: [
    "DATABASE_URL",
    "STORAGE_URL",
    "PUBLIC_URL",
    "URL_SIGNING_SECRET",
    "KEY_PEPPER",
    "SIGNING_CERTIFICATE_CHAIN",
    "SIGNING_PRIVATE_KEY",
    "SIGNING_TRUST_ANCHORS",
  ],
  cli: ["DATABASE_URL"],
};

/** Returns all problems with the settings of a program. */
export async function problemsOf(
  program: Program,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const known = new Set(await namesOf(program));
  const present = new Set<string>();
  const problems: string[] = [];
  for (const name of Object.keys(environment)) {
    const variable = known.has(name) ? name : name.replace(/_FILE$/, "");
    present.add(variable);
    if (!known.has(variable)) problems.push(`${name} is not read`);
    else if (secretVariables.has(variable) && variable === name) problems.push(`${name} in clear`);
  }
  for (const name of required[program]) if (!present.has(name)) problems.push(`${name} is missing`);
  return problems;
}

/** Returns the names of the settings that a program reads. */
export async function namesOf(program: Program): Promise<string[]> {
  const sections = await Promise.all(headings[program].map(readEnvExample));
  return [...sections.flatMap((section) => Object.keys(section)), ...alsoRead[program]];
}

/** Replaces `${NAME:-default}` by the defaults, as Compose does without a file `.env`. */
export function withDefaults(text: string): string {
  return text.replaceAll(/\$\{[A-Z_\d]+:-([^}]*)\}/g, "$1");
}

/** Returns the settings of a program, including defaults. */
export async function settingsOf(
  program: Program,
  environment: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const sections = await Promise.all(headings[program].map(readEnvExample));
  const set = Object.entries(environment).map(([name, value]) => [name, withDefaults(value)]);
  return {
    ...Object.assign({}, ...sections),
    ...Object.fromEntries(set.filter(([, value]) => value !== "")),
  };
}

export async function readText(path: string): Promise<string> {
  return readFile(new URL(path, root), "utf8");
}

export async function readYaml<Content>(path: string): Promise<Content> {
  return parse(await readText(path), { merge: true }) as Content;
}

/** Reads all Kubernetes objects of a folder. */
export async function readObjects<Content>(folder: string): Promise<Content[]> {
  const files = (await readdir(new URL(folder, root))).filter((name) => name.endsWith(".yaml"));
  const documents = await Promise.all(
    files.map(async (name) => parseAllDocuments(await readText(`${folder}/${name}`))),
  );
  return documents.flat().map((document) => {
    if ("errors" in document && document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Content;
  });
}
