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
import * as z from "zod";

/** Where the commands work. */
export interface Connection {
  readonly databaseUrl: string;
  /** Goes into the hash of a new key; null when nobody told. */
  readonly keyPepper: string | null;
  /** Where the images are; null when nobody told. */
  readonly storageUrl: string | null;
}

const variables = z.object({
  DATABASE_URL: serviceVariables.DATABASE_URL.optional(),
  KEY_PEPPER: variable.secret.optional(),
  STORAGE_URL: serviceVariables.STORAGE_URL.optional(),
  ...homeVariables,
});

/**
 * The database that DATABASE_URL names, else that of the installation in ATELIER_HOME.
 *
 * @throws Error when there is neither; ConfigError when a variable is wrong.
 */
export async function findConnection(environment: Environment): Promise<Connection> {
  const settings = parseConfig(variables, environment);
  const { DATABASE_URL, KEY_PEPPER, STORAGE_URL, ATELIER_HOME } = settings;
  if (DATABASE_URL !== undefined) {
    return {
      databaseUrl: DATABASE_URL,
      keyPepper: KEY_PEPPER ?? null,
      storageUrl: STORAGE_URL ?? null,
    };
  }
  const path = homeFiles(ATELIER_HOME).localInstallation;
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Error(
      `There is no database to work on: nothing runs in ${ATELIER_HOME}. ` +
        "Start it with npm start, or set DATABASE_URL and KEY_PEPPER.",
      { cause },
    );
  });
  const installation = localInstallation.parse(JSON.parse(text));
  return {
    databaseUrl: installation.database_url,
    keyPepper: KEY_PEPPER ?? installation.key_pepper,
    storageUrl: STORAGE_URL ?? installation.storage_url,
  };
}
