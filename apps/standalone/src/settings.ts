import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  homeVariables,
  parseConfig,
  serviceVariables,
  UsageError,
  variable,
  withoutEmpty,
  type Environment,
} from "@atelier/configuration";
import * as z from "zod";
import { describeError } from "./describe-error.ts";

export const help = `npm start -- [options]

Starts Atelier: database, API and worker. Makes one image, then serves until Ctrl-C.

  --once   stop after that image
  --json   print one JSON object at the end instead of prose; progress goes to stderr
  --help   show this

From the environment:
  PORT           where the API listens (3000)
  HOST           on which address (127.0.0.1)
  ADMIN_PORT     where metrics and the view of the queues listen (PORT + 1)
  ATELIER_HOME   where all data is kept (.atelier)
  DATABASE_URL   a Postgres of your own instead of the embedded one
All settings of the API and the worker are passed on to them; .env.example has the list.
`;

export interface Settings {
  readonly once: boolean;
  readonly json: boolean;
  /** Absolute path of the folder with all data. */
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Null: the port after the API's, or another one when that is taken. */
  readonly adminPort: number | null;
  /** Where clients on this machine reach the API. */
  readonly baseUrl: string;
  /** What the URLs in answers start with. */
  readonly publicUrl: string;
  /** A database of the user's own; null: the embedded one. */
  readonly databaseUrl: string | null;
  /** Where images are kept: the user's own, or a folder of `home`. */
  readonly storageUrl: string;
  /** The user's own, in place of the generated one. */
  readonly keyPepper: string | null;
  /** Roots of the user's own signing certificate; null: the development certificates are used. */
  readonly trustAnchorsPem: string | null;
  /** Whether lines of a terminal can be written again, as a spinner needs it. */
  readonly canRedraw: boolean;
  /** All variables that are set, to be passed on to the API and the worker. */
  readonly environment: Readonly<Record<string, string>>;
}

const variables = z.object({
  ...homeVariables,
  HOST: z.string().default("127.0.0.1"),
  PORT: variable.port.min(1).default(3000),
  ADMIN_PORT: variable.port.min(1).optional(),
  PUBLIC_URL: serviceVariables.PUBLIC_URL.optional(),
  DATABASE_URL: serviceVariables.DATABASE_URL.optional(),
  STORAGE_URL: serviceVariables.STORAGE_URL.optional(),
  KEY_PEPPER: variable.secret.optional(),
  SIGNING_TRUST_ANCHORS: z.string().optional(),
  TERM: z.string().optional(),
});

/**
 * What this start is to do, from the arguments and the environment; null when help was asked for.
 *
 * @throws UsageError for arguments that do not exist; ConfigError for variables that are wrong.
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | null {
  const options = readOptions(args);
  if (options.help) return null;
  const values = parseConfig(variables, environment);
  const baseUrl = `http://${reachableName(values.HOST)}:${values.PORT}`;
  return {
    once: options.once,
    json: options.json,
    home: values.ATELIER_HOME,
    host: values.HOST,
    port: values.PORT,
    adminPort: values.ADMIN_PORT ?? null,
    baseUrl,
    publicUrl: values.PUBLIC_URL ?? baseUrl,
    databaseUrl: values.DATABASE_URL ?? null,
    storageUrl: values.STORAGE_URL ?? pathToFileURL(join(values.ATELIER_HOME, "files")).href,
    keyPepper: values.KEY_PEPPER ?? null,
    trustAnchorsPem: values.SIGNING_TRUST_ANCHORS ?? null,
    canRedraw: values.TERM !== "dumb",
    environment: withoutEmpty(environment),
  };
}

function readOptions(args: readonly string[]): { once: boolean; json: boolean; help: boolean } {
  const off = { type: "boolean", default: false } as const;
  try {
    const options = { once: off, json: off, help: { ...off, short: "h" } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [what] = describeError(error).split(/(?<=')[.,] | To specify /);
    throw new UsageError(`${what}. "npm start -- --help" shows what there is.`);
  }
}

/** A server that listens on every address, or on the loopback one, is reached as localhost. */
function reachableName(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1", "localhost"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
