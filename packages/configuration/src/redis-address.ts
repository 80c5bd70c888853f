/** A node of Redis, or a sentinel. */
interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** The Redis that a queue URL names. */
export interface RedisAddress {
  readonly kind: "single" | "sentinel" | "cluster";
  /** The Redis, the sentinels, or some nodes of the cluster. */
  readonly nodes: readonly RedisNode[];
  /** Whether all connections use TLS. */
  readonly isEncrypted: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** Start of all keys. */
  readonly prefix: string;
  readonly database: number;
  /** Name under which the sentinels monitor the primary; empty without them. */
  readonly primaryName: string;
  /** Credentials for the sentinels themselves. */
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
}

const severalNodes =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<credentials>[^@]*)@)?(?<nodes>[^/?#@]+)(?:\/(?<path>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;

const clusterForm =
  "must be redis+cluster://host:6379,host:6379, with the hosts of some nodes and without a database";

const sentinelForm =
  "must be redis+sentinel://host:26379,host:26379/name, with the hosts of the sentinels and the name of the primary that they monitor";

const clusterParameters = ["prefix"];
const sentinelParameters = ["prefix", "db", "sentinel_username", "sentinel_password"];

const defaultPrefix = "atelier";

/** Whether a queue URL names a Redis and not a Postgres. */
export function isRedisUrl(queueUrl: string): boolean {
  return /^rediss?(\+\w+)?:/i.test(queueUrl);
}

/**
 * Reads the URL of a Redis: `redis://user:password@host:6379/0`, or with sentinels
 * `redis+sentinel://user:password@host:26379,host:26379/name?db=0&sentinel_password=…`, or for a cluster
 * `redis+cluster://user:password@host:6379,host:6379`. All accept `prefix`, and TLS as `rediss…`.
 *
 * @throws Error with what to write instead, without any part of the URL, which contains a password.
 */
export function readRedisAddress(redisUrl: string): RedisAddress {
  return /^rediss?:/i.test(redisUrl) ? readSingle(redisUrl) : readSeveral(redisUrl);
}

function readSingle(redisUrl: string): RedisAddress {
  if (!URL.canParse(redisUrl)) throw new Error("must be a redis:// URL");
  const url = new URL(redisUrl);
  return {
    kind: "single",
    nodes: [{ host: url.hostname, port: Number(url.port || 6_379) }],
    isEncrypted: url.protocol === "rediss:",
    username: decode(url.username),
    password: decode(url.password),
    prefix: url.searchParams.get("prefix") ?? defaultPrefix,
    database: Number(url.pathname.slice(1) || 0),
    primaryName: "",
    sentinelUsername: null,
    sentinelPassword: null,
  };
}

function readSeveral(redisUrl: string): RedisAddress {
  const parts = severalNodes.exec(redisUrl)?.groups;
  const isCluster = /^rediss?\+cluster:/i.test(redisUrl);
  const form = isCluster ? clusterForm : sentinelForm;
  if (parts === undefined) throw new Error(form);
  const { tls, credentials = "", nodes = "", path = "", query = "" } = parts;
  if ((path === "") !== isCluster) throw new Error(form);
  const [username = "", ...password] = credentials.split(":");
  const parameters = new URLSearchParams(query);
  const known = isCluster ? clusterParameters : sentinelParameters;
  for (const name of parameters.keys()) {
    if (known.includes(name)) continue;
    throw new Error(`has an unknown parameter; known are: ${known.join(", ")}`);
  }
  const database = parameters.get("db") ?? "0";
  if (!/^\d{1,4}$/.test(database)) throw new Error("has an invalid db; write a number, such as 0");
  const prefix = parameters.get("prefix") ?? defaultPrefix;
  if (isCluster && /[{}]/.test(prefix)) throw new Error("must have a prefix without { and }");
  return {
    kind: isCluster ? "cluster" : "sentinel",
    nodes: nodes.split(",").map((node) => readNode(node, isCluster ? 6_379 : 26_379)),
    isEncrypted: tls === "s",
    username: decode(username),
    password: decode(password.join(":")),
    prefix,
    database: Number(database),
    primaryName: decode(path) ?? "",
    sentinelUsername: parameters.get("sentinel_username"),
    sentinelPassword: parameters.get("sentinel_password"),
  };
}

function readNode(text: string, defaultPort: number): RedisNode {
  const [, ipv6, name, digits] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits ?? defaultPort);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(`has an invalid host; write host:${defaultPort},host:${defaultPort}`);
  }
  return { host, port };
}

/** @returns null for an empty text. */
function decode(text: string): string | null {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch (cause) {
    throw new Error("has an invalid percent sign; write %25 for one in a password", { cause });
  }
}
