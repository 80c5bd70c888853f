import { isAbsolute, join } from "node:path";
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

Starts Atelier: database, API and worker. Makes one image in a new home, then serves until Ctrl-C.

  --once   stop after that image, or when everything serves
  --json   print one JSON object at the end instead of prose; progress goes to stderr
  --container
           for the image of one container: no demo account and no image; the file first-sign-in in
           ATELIER_HOME has the first link; without PUBLIC_URL, the API serves this machine only
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
  /** Whether it runs as the image of one container, for an operator instead of for a trial. */
  readonly container: boolean;
  /** Absolute path of the folder with all data. */
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Null selects the port after the API's, or another free one if that is taken. */
  readonly adminPort: number | null;
  /** Address at which clients on this machine reach the API; in a container, `publicUrl`. */
  readonly baseUrl: string;
  /** Prefix of the URLs in responses. */
  readonly publicUrl: string;
  /** Whether the API refuses requests to other addresses than localhost, because PUBLIC_URL is missing. */
  readonly localOnly: boolean;
  /** The user's own database; null selects the embedded one. */
  readonly databaseUrl: string | null;
  /** The user's own database without its pooler; null without one. */
  readonly databaseDirectUrl: string | null;
  /** Image storage: the user's own, or a folder in `home`. */
  readonly storageUrl: string;
  /** The user's own pepper, instead of the generated one. */
  readonly keyPepper: string | null;
  readonly oldKeyPeppers: readonly string[];
  /**
   * Root certificates of the user's own signing certificate; null selects the development
   * certificates.
   */
  readonly trustAnchorsPem: string | null;
  /** Whether terminal lines can be redrawn, for example for a spinner. */
  readonly canRedraw: boolean;
  /** All variables that are set; they are passed on to the API and the worker. */
  readonly environment: Readonly<Record<string, string>>;
}

const variables = z.object({
  ...homeVariables,
  HOST: z.string().default("127.0.0.1"),
  PORT: variable.port.min(1).default(3000),
  ADMIN_PORT: variable.port.min(1).optional(),
  PUBLIC_URL: serviceVariables.PUBLIC_URL.optional(),
  DATABASE_URL: serviceVariables.DATABASE_URL.optional(),
  DATABASE_DIRECT_URL: serviceVariables.DATABASE_DIRECT_URL,
  STORAGE_URL: serviceVariables.STORAGE_URL.optional(),
  KEY_PEPPER: variable.secret.optional(),
  OLD_KEY_PEPPERS: serviceVariables.OLD_KEY_PEPPERS,
  SIGNING_TRUST_ANCHORS: z.string().optional(),
  TERM: z.string().optional(),
});

/**
 * Reads the settings from arguments and environment; null if help was requested.
 *
 * @throws UsageError for unknown arguments; ConfigError for invalid variables.
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | null {
  const options = readOptions(args);
  if (options.help) return null;
  const values = parseConfig(variables, environment);
  if (options.container && !isAbsolute(environment["ATELIER_HOME"] ?? "")) {
    throw new UsageError(
      `ATELIER_HOME is ${environment["ATELIER_HOME"] ?? "not set"}. Leave it out of the settings of a container, which keeps its data in /data.`,
    );
  }
  const ownUrl = `http://${reachableName(values.HOST)}:${values.PORT}`;
  const publicUrl = values.PUBLIC_URL ?? ownUrl;
  return {
    once: options.once,
    json: options.json,
    container: options.container,
    home: values.ATELIER_HOME,
    host: values.HOST,
    port: values.PORT,
    adminPort: values.ADMIN_PORT ?? null,
    // The port of a container may be published under another one.
    baseUrl: options.container ? publicUrl : ownUrl,
    publicUrl,
    localOnly: options.container && values.PUBLIC_URL === undefined,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    storageUrl: values.STORAGE_URL ?? pathToFileURL(join(values.ATELIER_HOME, "files")).href,
    keyPepper: values.KEY_PEPPER ?? null,
    oldKeyPeppers: values.OLD_KEY_PEPPERS,
    trustAnchorsPem: values.SIGNING_TRUST_ANCHORS ?? null,
    canRedraw: values.TERM !== "dumb",
    environment: withoutEmpty(environment),
  };
}

function readOptions(
  args: readonly string[],
): Readonly<Record<"once" | "json" | "container" | "help", boolean>> {
  const offByDefault = { type: "boolean", default: false } as const;
  try {
    const options = {
      once: offByDefault,
      json: offByDefault,
      container: offByDefault,
      help: { ...offByDefault, short: "h" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [problem] = describeError(error).split(/(?<=')[.,] | To specify /);
    throw new UsageError(`${problem}. "npm start -- --help" lists the options.`);
  }
}

/** A server that listens on all addresses or on loopback is reached as localhost. */
function reachableName(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1", "localhost"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
