import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseConfig } from "@atelier/configuration";
import * as z from "zod";

/** A service and a key of it. */
export interface Caller {
  readonly baseUrl: string;
  readonly key: string;
}

const variables = z.object({
  ATELIER_URL: z.url({ protocol: /^https?$/ }).optional(),
  ATELIER_KEY: z.string().optional(),
  ATELIER_HOME: z.string().default(".atelier"),
});

const demoAccount = z.object({ base_url: z.string(), api_key: z.string() });

/**
 * The service that ATELIER_URL and ATELIER_KEY name, else the demo account of the installation in
 * ATELIER_HOME.
 *
 * @throws Error when there is neither.
 */
export async function findCaller(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Caller> {
  const { ATELIER_URL, ATELIER_KEY, ATELIER_HOME } = parseConfig(variables, environment);
  if (ATELIER_URL !== undefined && ATELIER_KEY !== undefined) {
    return { baseUrl: ATELIER_URL.replace(/\/+$/, ""), key: ATELIER_KEY };
  }
  const path = join(resolve(ATELIER_HOME), "demo.json");
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Error(
      `There is no demo account in ${resolve(ATELIER_HOME)}. ` +
        "Start the service with npm start, or set ATELIER_URL and ATELIER_KEY.",
      { cause },
    );
  });
  const { base_url, api_key } = demoAccount.parse(JSON.parse(text));
  return { baseUrl: base_url, key: api_key };
}

/**
 * A request in JSON.
 *
 * @throws Error with the service's own message when it refuses.
 */
export async function call(
  caller: Caller,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(caller.baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${caller.key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(`Nothing answers at ${caller.baseUrl}. Start the service with npm start.`, {
      cause,
    });
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { error, message } = answer as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}
