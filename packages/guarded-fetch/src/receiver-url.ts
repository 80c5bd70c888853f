import { GuardedRequestError } from "./errors.ts";
import { parsePublicHttpsUrl } from "./public-url.ts";

/** The target of a request to a receiver. */
export interface ReceiverUrl {
  readonly url: URL;
  /** The operator has allowed the host: plain HTTP, any port and private addresses are permitted. */
  readonly isPrivate: boolean;
}

/**
 * Parses the URL of a receiver of requests: a public HTTPS URL on port 443, or a host that the operator
 * has allowed.
 *
 * @param privateHosts `host:port`, as in WEBHOOK_PRIVATE_HOSTS.
 * @throws GuardedRequestError for any other URL.
 */
export function parseReceiverUrl(text: string, privateHosts: readonly string[]): ReceiverUrl {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
    const hasCredentials = url.username !== "" || url.password !== "";
    if (!hasCredentials && privateHosts.includes(`${url.hostname}:${port}`)) {
      return { url, isPrivate: true };
    }
  }
  return { url: parsePublicHttpsUrl(text), isPrivate: false };
}

/** Validates the URL of a receiver without DNS. Returns the problem, or null. */
export function problemOfReceiverUrl(text: string, privateHosts: readonly string[]): string | null {
  try {
    parseReceiverUrl(text, privateHosts);
    return null;
  } catch (error) {
    if (error instanceof GuardedRequestError) return error.message;
    throw error;
  }
}
