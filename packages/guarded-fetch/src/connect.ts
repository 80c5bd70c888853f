import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { checkServerIdentity, connect, type TLSSocket } from "node:tls";
import { createNetworkMatcher, isGlobalUnicast } from "./address.ts";
import { GuardedRequestError } from "./errors.ts";

/**
 * What a test may replace so that a server on loopback can play the internet.
 * The rules about addresses stay in force: `lookup` must give public addresses,
 * and `route` is asked only about addresses that were checked.
 */
export interface TestingOptions {
  /** Certificate authorities in PEM, in place of the system's. */
  readonly ca?: string;
  /** Every address of a name, in place of the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Where connections to a checked address really go, in place of that address and port 443. */
  readonly route?: (address: string) => { readonly host: string; readonly port: number };
}

export interface ConnectorOptions {
  /** How long one address may take for TCP and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** CIDR blocks that are refused although they are public. */
  readonly refusedNetworks: readonly string[];
  readonly testing: TestingOptions;
}

export type Connector = (host: string, signal: AbortSignal) => Promise<TLSSocket>;

/** A name with more addresses than this has its first ones tried only (all are checked). */
const maxAttempts = 4;

/**
 * Opens TLS connections to port 443 of public hosts. The name is resolved once,
 * every address is checked, and a checked address is dialled as a literal: no
 * second resolution lies between the check and the connection, so a name that
 * changes its address (DNS rebinding) gains nothing.
 *
 * One address that is not public condemns the whole name. No public site has
 * such a mixture; a rebinding attack does, and choosing among the addresses
 * would let it see from the outcome what was tried.
 *
 * The connector throws GuardedRequestError `unreachable`, whatever happened.
 */
export function createConnector(options: ConnectorOptions): Connector {
  const { connectTimeoutMs, testing } = options;
  const lookup = testing.lookup ?? lookupAll;
  const route = testing.route ?? ((address) => ({ host: address, port: 443 }));
  const isRefused = createNetworkMatcher(options.refusedNetworks);

  async function resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await unlessAborted(lookup(host), signal) : [host];
    if (addresses.length === 0) throw unreachable("no address");
    if (addresses.some((address) => !isGlobalUnicast(address) || isRefused(address))) {
      throw unreachable("address refused");
    }
    return addresses;
  }

  function dial(address: string, host: string, signal: AbortSignal): Promise<TLSSocket> {
    signal.throwIfAborted();
    return new Promise((settle, reject) => {
      const socket = connect({
        ...route(address),
        // Server names are names only (RFC 6066, 3): a literal address sends none.
        servername: isIP(host) === 0 ? host : "",
        ALPNProtocols: ["http/1.1"],
        minVersion: "TLSv1.2",
        // Said outright, because an environment variable can change the default.
        rejectUnauthorized: true,
        // The certificate must be for the URL's host, not for the address that was dialled.
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
          retryable ||= isPassing(error);
          if (signal.aborted) break;
        }
      }
    } catch (error) {
      if (error instanceof GuardedRequestError) throw error;
      failure = error;
      retryable = isPassing(error);
    }
    throw unreachable(codeOf(failure), retryable);
  };
}

async function lookupAll(name: string): Promise<readonly string[]> {
  const answers = await systemLookup(name, { all: true, order: "verbatim" });
  return answers.map(({ address }) => address);
}

function unreachable(why: string, retryable = false): GuardedRequestError {
  return new GuardedRequestError("unreachable", `no connection: ${why}`, { retryable });
}

/** Time-outs (of the DNS too) and resets pass; a refused connection or a bad certificate does not. */
function isPassing(error: unknown): boolean {
  return ["EAI_AGAIN", "ECONNRESET", "ETIMEDOUT", "TimeoutError"].includes(codeOf(error));
}

/** The code of a system error, or else its class: never its message, which may name the host. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Stops waiting when the signal fires; what was waited for cannot be stopped. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}
