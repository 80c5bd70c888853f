import { readFile } from "node:fs/promises";
import {
  homeFiles,
  homeVariables,
  localInstallation,
  parseConfig,
  serviceVariables,
  variable,
  type Environment,
} from "@atelier/configuration";
import type { Peppers } from "@atelier/accounts";
import * as z from "zod";

/** The installation that operator commands work on. */
export interface Connection {
  readonly databaseUrl: string;
  /** Whether the programs reach it through a pooler in transaction mode; the commands never do. */
  readonly isPooled: boolean;
  /** Hashed together with keys, the current one first; null if not configured. */
  readonly keyPeppers: Peppers | null;
  /** The image storage; null if not configured. */
  readonly storageUrl: string | null;
  /** The store of the queues. */
  readonly queueUrl: string;
  /** Chains the lines of the operator log; null if not configured. */
  readonly operatorLogKey: string | null;
  /** Its earlier values, which the audit checks older lines with. */
  readonly oldOperatorLogKeys: readonly string[];
  /** Folder of the installation of npm start; null for one that the environment names. */
  readonly home: string | null;
}

const variables = z.object({
  DATABASE_URL: serviceVariables.DATABASE_URL.optional(),
  DATABASE_DIRECT_URL: serviceVariables.DATABASE_DIRECT_URL,
  KEY_PEPPER: variable.secret.optional(),
  OLD_KEY_PEPPERS: serviceVariables.OLD_KEY_PEPPERS,
  STORAGE_URL: serviceVariables.STORAGE_URL.optional(),
  QUEUE_URL: serviceVariables.QUEUE_URL,
  OPERATOR_LOG_KEY: variable.secret.optional(),
  OLD_OPERATOR_LOG_KEYS: variable.secrets,
  ...homeVariables,
});

/** Neither the environment nor ATELIER_HOME names a database. */
export class NoInstallationError extends Error {
  override readonly name = "NoInstallationError";
}

/**
 * Returns the installation of DATABASE_URL, or else the one in ATELIER_HOME.
 *
 * @throws NoInstallationError if there is neither; ConfigError for an invalid variable.
 */
export async function findConnection(environment: Environment): Promise<Connection> {
  const settings = parseConfig(variables, environment);
  const {
    DATABASE_URL,
    DATABASE_DIRECT_URL,
    KEY_PEPPER,
    OLD_KEY_PEPPERS,
    STORAGE_URL,
    QUEUE_URL,
    OPERATOR_LOG_KEY,
    OLD_OPERATOR_LOG_KEYS: oldOperatorLogKeys,
    ATELIER_HOME,
  } = settings;
  if (DATABASE_URL !== undefined) {
    return {
      databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL,
      isPooled: DATABASE_DIRECT_URL !== undefined,
      keyPeppers: KEY_PEPPER === undefined ? null : [KEY_PEPPER, ...OLD_KEY_PEPPERS],
      storageUrl: STORAGE_URL ?? null,
      queueUrl: QUEUE_URL ?? DATABASE_DIRECT_URL ?? DATABASE_URL,
      operatorLogKey: OPERATOR_LOG_KEY ?? null,
      oldOperatorLogKeys,
      home: null,
    };
  }
  const path = homeFiles(ATELIER_HOME).localInstallation;
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new NoInstallationError(
      `No database found: no service is running in ${ATELIER_HOME}. ` +
        "Run npm start, or set DATABASE_URL and KEY_PEPPER.",
      { cause },
    );
  });
  const installation = localInstallation.parse(JSON.parse(text));
  return {
    databaseUrl: installation.database_url,
    isPooled: false,
    keyPeppers: [KEY_PEPPER ?? installation.key_pepper, ...OLD_KEY_PEPPERS],
    storageUrl: STORAGE_URL ?? installation.storage_url,
    queueUrl: QUEUE_URL ?? installation.database_url,
    operatorLogKey: OPERATOR_LOG_KEY ?? installation.operator_log_key ?? null,
    oldOperatorLogKeys,
    home: ATELIER_HOME,
  };
}
