import { unlessAborted } from "@atelier/kit";
import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { checkServerIdentity, connect, type TLSSocket } from "node:tls";
import { createNetworkMatcher, embeddedIPv4, isGlobalUnicast } from "./address.ts";
import { GuardedRequestError } from "./errors.ts";

/**
 * Overrides for tests, so that a server on loopback can simulate the internet. The address rules
 * still apply: `lookup` must return public addresses, and `route` is called only with addresses
 * that were checked.
 */
export interface TestingOptions {
  /** Certificate authorities in PEM, replacing the system's. */
  readonly ca?: string;
  /** Resolves a name, replacing the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** The target of connections to a checked address, replacing that address and port 443. */
  readonly route?: (address: string) => { readonly host: string; readonly port: number };
}

interface ConnectorOptions {
  /** Timeout of TCP and TLS for one address, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Public CIDR blocks that are refused. */
  readonly refusedNetworks: readonly string[];
  readonly testing: TestingOptions;
}

export type Connector = (host: string, signal: AbortSignal) => Promise<TLSSocket>;

/** Maximum number of addresses of a name that are tried; all are checked. */
const maxAttempts = 4;

/**
 * Opens TLS connections to port 443 of public hosts. A name is resolved once, every address is
 * checked, and a checked address is dialled as a literal. No second resolution happens between the
 * check and the connection, which prevents DNS rebinding.
 *
 * A name with any non-public address is rejected. Public sites have no such mixture, rebinding
 * attacks do, and choosing among the addresses would reveal which of them are reachable. A DNS
 * response with the well-known NAT64 prefix is checked by the IPv4 address in it, and tried after
 * all other addresses.
 *
 * The connector throws GuardedRequestError `unreachable` for every failure.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { connectTimeoutMs, testing } = options;
  const lookup = testing.lookup ?? lookupAll;
  const route = testing.route ?? ((address) => ({ host: address, port: 443 }));
  const isRefused = createNetworkMatcher(options.refusedNetworks);

  async function resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await unlessAborted(lookup(host), signal) : [host];
    if (addresses.length === 0) throw unreachable(noPublicAddress);
    // With DNS64, the resolver wraps the IPv4 address of a host; NAT64 sends packets to that address.
    const [direct, wrapped] = partition(addresses, (address) => embeddedIPv4(address) === null);
    const checked = [...direct, ...wrapped.flatMap((address) => embeddedIPv4(address) ?? [])];
    if ([...checked, ...wrapped].some(isRefused) || !checked.every(isGlobalUnicast)) {
      throw unreachable(noPublicAddress);
    }
    return [...direct, ...wrapped];
  }

  function dial(address: string, host: string, signal: AbortSignal): Promise<TLSSocket> {
    signal.throwIfAborted();
    return new Promise((settle, reject) => {
      const socket = connect({
        ...route(address),
        // SNI is for names only (RFC 6066, section 3), not for literal addresses.
        servername: isIP(host) === 0 ? host : "",
        ALPNProtocols: ["http/1.1"],
        minVersion: "TLSv1.2",
        // Explicit, because an environment variable can change the default.
        rejectUnauthorized: true,
        // The certificate must match the URL's host, not the dialled address.
        checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
        ...(testing.ca === undefined ? {} : { ca: testing.ca }),
      });
      const onAbort = () => socket.destroy(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      socket.once("close", () => signal.removeEventListener("abort", onAbort));
      // Stays attached: an error between here and the HTTP client's own listener must not be fatal.
      socket.on("error", reject);
      socket.once("secureConnect", () => {
        signal.removeEventListener("abort", onAbort);
        settle(socket);
      });
    });
  }

  return async (host, signal) => {
    let failure: unknown;
    let retryable = false;
    try {
      for (const address of (await resolve(host, signal)).slice(0, maxAttempts)) {
        const attempt = AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)]);
        try {
          return await dial(address, host, attempt);
        } catch (error) {
          failure = error;
          retryable ||= isTemporary(error);
          if (signal.aborted) break;
        }
      }
    } catch (error) {
      if (error instanceof GuardedRequestError) throw error;
      failure = error;
      retryable = isTemporary(error);
    }
    throw noConnection(failure, retryable);
  };
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

async function lookupAll(name: string): Promise<readonly string[]> {
  const answers = await systemLookup(name, { all: true, order: "verbatim" });
  return answers.map(({ address }) => address);
}

/** One text for unknown names and private addresses, so that errors do not reveal names of a network. */
const noPublicAddress = "the host is unknown or has no public address";

/** Reasons that people read, for codes that they may not know. */
const reasons: Readonly<Record<string, string>> = {
  EAI_AGAIN: "DNS did not answer",
  ENOTFOUND: noPublicAddress,
  ECONNREFUSED: "refused by the host",
  ECONNRESET: "closed by the host",
  ETIMEDOUT: "timed out",
  TimeoutError: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
};

/** The error for a connection that failed. */
export function noConnection(cause: unknown, retryable: boolean): GuardedRequestError {
  const code = codeOf(cause);
  return unreachable(reasons[code] ?? code, retryable);
}

function unreachable(why: string, retryable = false): GuardedRequestError {
  return new GuardedRequestError("unreachable", `no connection: ${why}`, { retryable });
}

/** Timeouts (including DNS) and resets are temporary; refused connections and invalid certificates are not. */
function isTemporary(error: unknown): boolean {
  return ["EAI_AGAIN", "ECONNRESET", "ETIMEDOUT", "TimeoutError"].includes(codeOf(error));
}

/** The code of a system error, or its class. Never its message, which may contain the host. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
