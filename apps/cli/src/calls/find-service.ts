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
 * `npm start` runs here. The key of that one is never sent to another service. Anybody may have written the
 * file that names it, so a key from elsewhere is sent to its address only on this machine.
 *
 * @param usesCurrentFolder whether the service of `.atelier` in the current folder is used; otherwise only that
 *   of an ATELIER_HOME in the environment.
 * @throws UsageError if something is missing; ConfigError for an invalid variable.
 */
export async function findService(
  flags: { readonly url?: string; readonly key?: string },
  environment: Environment,
  { usesCurrentFolder }: { readonly usesCurrentFolder: boolean },
): Promise<Service> {
  const { ATELIER_URL, ATELIER_API_KEY, ATELIER_HOME } = parseConfig(variables, environment);
  const url = flags.url ?? ATELIER_URL;
  const baseUrl = url === undefined ? undefined : readBaseUrl(url);
  const apiKey = flags.key ?? ATELIER_API_KEY;
  if (baseUrl !== undefined && apiKey !== undefined) return { baseUrl, apiKey };

  const hasHome = usesCurrentFolder || (environment["ATELIER_HOME"] ?? "") !== "";
  const demo = hasHome ? await readDemo(ATELIER_HOME) : null;
  if (demo !== null && (baseUrl ?? demo.baseUrl) === demo.baseUrl) {
    if (apiKey !== undefined && !isLoopback(demo.baseUrl)) {
      throw new UsageError(
        `Your API key is not sent to ${demo.baseUrl}, which only ${homeFiles(ATELIER_HOME).demoAccount} names. ` +
          "Set ATELIER_URL or --url to the address of your service.",
      );
    }
    return { baseUrl: demo.baseUrl, apiKey: apiKey ?? demo.apiKey };
  }
  if (baseUrl !== undefined) {
    throw new UsageError(`No API key for ${baseUrl}. Set ATELIER_API_KEY or --key.`);
  }
  throw new UsageError(
    hasHome
      ? `No service is running in ${ATELIER_HOME}. Run npm start, or set ATELIER_URL and ATELIER_API_KEY.`
      : "No service is named. Set ATELIER_URL and ATELIER_API_KEY, or --url and --key.",
  );
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

async function readDemo(home: string): Promise<Service | null> {
  const text = await readFile(homeFiles(home).demoAccount, "utf8").catch(() => null);
  if (text === null) return null;
  const { base_url, api_key } = serviceOfDemo.parse(JSON.parse(text));
  return { baseUrl: readBaseUrl(base_url), apiKey: api_key };
}
