import { readFile } from "node:fs/promises";
import { readBaseUrl } from "@atelier/client";
import {
  demoAccount,
  homeFiles,
  homeVariables,
  parseConfig,
  UsageError,
  variable,
  type Environment,
} from "@atelier/configuration";
import * as z from "zod";

/** A service and an API key for it. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const variables = z.object({
  ATELIER_URL: variable.httpUrl.optional(),
  ATELIER_API_KEY: z.string().optional(),
  ...homeVariables,
});

const serviceOfDemo = demoAccount.pick({ base_url: true, api_key: true });

/**
 * Returns the service to call: from flags, or ATELIER_URL and ATELIER_API_KEY, or the one that
 * `npm start` runs here. The key of that one is never sent to another service.
 *
 * @throws UsageError if something is missing; ConfigError for an invalid variable.
 */
export async function findService(
  flags: { readonly url?: string; readonly key?: string },
  environment: Environment,
): Promise<Service> {
  const { ATELIER_URL, ATELIER_API_KEY, ATELIER_HOME } = parseConfig(variables, environment);
  const url = flags.url ?? ATELIER_URL;
  const baseUrl = url === undefined ? undefined : readBaseUrl(url);
  const apiKey = flags.key ?? ATELIER_API_KEY;
  if (baseUrl !== undefined && apiKey !== undefined) return { baseUrl, apiKey };

  const demo = await readDemo(ATELIER_HOME);
  if (demo !== null && (baseUrl ?? demo.baseUrl) === demo.baseUrl) {
    return { baseUrl: demo.baseUrl, apiKey: apiKey ?? demo.apiKey };
  }
  throw new UsageError(
    baseUrl === undefined
      ? `No service is running in ${ATELIER_HOME}. ` +
          "Run npm start, or set ATELIER_URL and ATELIER_API_KEY."
      : `No API key for ${baseUrl}. Set ATELIER_API_KEY or --key.`,
  );
}

async function readDemo(home: string): Promise<Service | null> {
  const text = await readFile(homeFiles(home).demoAccount, "utf8").catch(() => null);
  if (text === null) return null;
  const { base_url, api_key } = serviceOfDemo.parse(JSON.parse(text));
  return { baseUrl: readBaseUrl(base_url), apiKey: api_key };
}
