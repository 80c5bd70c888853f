/** A node of Redis, or a sentinel. */
interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** The Redis that a queue URL names. */
export interface RedisAddress {
  readonly kind: "single" | "sentinel";
  /** The Redis, or the sentinels. */
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
  /^redis(?<tls>s?)\+(?<kind>sentinel):\/\/(?:(?<credentials>[^@]*)@)?(?<nodes>[^/?#@]+)(?:\/(?<path>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;

const sentinelForm =
  "must be redis+sentinel://host:26379,host:26379/name, with the hosts of the sentinels and the name of the primary that they monitor";

const sentinelParameters = ["prefix", "db", "sentinel_username", "sentinel_password"];

const defaultPrefix = "atelier";

/** Whether a queue URL names a Redis and not a Postgres. */
export function isRedisUrl(queueUrl: string): boolean {
  return /^rediss?(\+\w+)?:/i.test(queueUrl);
}

/**
 * Reads the URL of a Redis: `redis://user:password@host:6379/0`, or with sentinels
 * `redis+sentinel://user:password@host:26379,host:26379/name?db=0&sentinel_password=…`. Both accept
 * `prefix`, and TLS as `rediss…`.
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
  if (parts === undefined) throw new Error(sentinelForm);
  const { tls, credentials = "", nodes = "", path = "", query = "" } = parts;
  const primaryName = decode(path);
  if (primaryName === null) throw new Error(sentinelForm);
  const [username = "", ...password] = credentials.split(":");
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!sentinelParameters.includes(name)) {
      throw new Error(`has an unknown parameter; ${sentinelParameters.join(", ")} are known`);
    }
  }
  const database = parameters.get("db") ?? "0";
  if (!/^\d{1,4}$/.test(database)) throw new Error("has an invalid db; write a number, such as 0");
  return {
    kind: "sentinel",
    nodes: nodes.split(",").map((node) => readNode(node, 26_379)),
    isEncrypted: tls === "s",
    username: decode(username),
    password: decode(password.join(":")),
    prefix: parameters.get("prefix") ?? defaultPrefix,
    database: Number(database),
    primaryName,
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
