import { isIP } from "node:net";
import * as z from "zod";
import type { CatalogueEntry } from "./catalogue-entry.ts";

/** One of several servers behind a provider. */
export interface ServerSettings {
  /** Without a trailing slash; also the server's name in metrics, tables and probes. */
  readonly url: string;
  /** Whether each address of the URL's host name is a server of its own. */
  readonly isEveryAddress: boolean;
  /** A server with the weight 2 is chosen until its expected wait is twice that of others. */
  readonly weight: number;
  /** Calls at the same time, over all workers. */
  readonly concurrency: number;
  readonly tags: readonly string[];
}

/** URL of a server that an operator configures. */
export const serverUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    error: "must not have a user or a password: name the key's variable in api_key_env",
  })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));

/** One call in work and one that waits in the server, so that the server is never idle. */
const defaultConcurrency = 2;

/** The setting `base_urls` of a provider. */
export const serverList = z
  .array(
    z
      .strictObject({
        url: serverUrl,
        every_address: z.boolean().default(false),
        weight: z.number().min(0.01).max(100).default(1),
        concurrency: z.int().positive().max(1_000).default(defaultConcurrency),
        tags: z.array(z.string().min(1).max(100)).default([]),
      })
      .refine(({ every_address: isEvery, url }) => !isEvery || isPlainName(url), {
        path: ["every_address"],
        error: "needs an http:// URL with a host name: certificates are not issued for addresses",
      }),
  )
  .min(1)
  .max(100)
  .superRefine((servers, context) => {
    for (const [index, { url }] of servers.entries()) {
      if (servers.findIndex((other) => other.url === url) === index) continue;
      context.addIssue({ code: "custom", path: [index, "url"], message: `repeats ${url}` });
    }
  })
  .transform((servers): readonly ServerSettings[] =>
    servers.map(({ every_address: isEveryAddress, ...server }) => ({ ...server, isEveryAddress })),
  );

function isPlainName(url: string): boolean {
  const { hostname, protocol } = new URL(url);
  return protocol === "http:" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
}

/** Whether a server has all tags that a model asks for. */
export function hasTags(
  server: Pick<ServerSettings, "tags">,
  { server_tags: wanted }: Pick<CatalogueEntry, "server_tags">,
): boolean {
  return wanted.every((tag) => server.tags.includes(tag));
}

/**
 * Detects a model whose tags no server of its provider has.
 *
 * @param servers of the model's provider; null for one server or a vendor, undefined for a provider
 *   that is not usable.
 * @throws Error that names the model and the tags.
 */
export function assertTagsServed(
  entry: Pick<CatalogueEntry, "id" | "server_tags">,
  servers: readonly ServerSettings[] | null | undefined,
): void {
  if (servers === undefined || entry.server_tags.length === 0) return;
  if (servers?.some((server) => hasTags(server, entry)) === true) return;
  throw new Error(
    `The catalogue of models cannot be used: no server of base_urls has the server_tags of ${entry.id} (${entry.server_tags.join(", ")}).`,
  );
}
