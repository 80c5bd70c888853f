import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseConfig } from "@atelier/configuration";
import * as z from "zod";
import { UsageError } from "../exit-codes.ts";

/** A service and a key of it. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const variables = z.object({
  ATELIER_URL: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .optional(),
  ATELIER_API_KEY: z.string().optional(),
  ATELIER_HOME: z.string().default(".atelier"),
});

/** What `npm start` leaves in `$ATELIER_HOME/demo.json`. */
const demoAccount = z.object({ base_url: z.string(), api_key: z.string() });

/**
 * The service to call: by flags, else ATELIER_URL and ATELIER_API_KEY, else the one that `npm start`
 * runs here. The key of that one is never sent to another.
 *
 * @throws UsageError saying what is missing; ConfigError when a variable is wrong.
 */
export async function findService(
  flags: { readonly url?: string; readonly key?: string },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Service> {
  const { ATELIER_URL, ATELIER_API_KEY, ATELIER_HOME } = parseConfig(variables, environment);
  const baseUrl = withoutSlash(flags.url ?? ATELIER_URL);
  const apiKey = flags.key ?? ATELIER_API_KEY;
  if (baseUrl !== undefined && apiKey !== undefined) return { baseUrl, apiKey };

  const home = resolve(ATELIER_HOME);
  const demo = await readDemo(home);
  if (demo !== null && (baseUrl ?? demo.baseUrl) === demo.baseUrl) {
    return { baseUrl: demo.baseUrl, apiKey: apiKey ?? demo.apiKey };
  }
  throw new UsageError(
    baseUrl === undefined
      ? `There is no service to call: nothing runs in ${home}. ` +
          "Start it with npm start, or set ATELIER_URL and ATELIER_API_KEY."
      : `There is no key for ${baseUrl}. Set ATELIER_API_KEY, or give it with --key.`,
  );
}

async function readDemo(home: string): Promise<Service | null> {
  const text = await readFile(join(home, "demo.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const { base_url, api_key } = demoAccount.parse(JSON.parse(text));
  return { baseUrl: withoutSlash(base_url), apiKey: api_key };
}

function withoutSlash<Url extends string | undefined>(url: Url): Url {
  return url?.replace(/\/+$/, "") as Url;
}
