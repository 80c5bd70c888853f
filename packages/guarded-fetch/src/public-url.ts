import { isIP } from "node:net";
import { isGlobalUnicast } from "./address.ts";
import { GuardedRequestError, toReferenceError } from "./errors.ts";

/**
 * Top-level names that are never in the public DNS: the special-use registry
 * (RFC 6761 and additions), names that ICANN keeps out of the root, and what
 * routers and companies use internally. This is only a first check: the
 * addresses of a name are checked when connecting.
 */
const privateSuffixes = [
  "alt",
  "corp",
  "example",
  "home",
  "home.arpa",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
  "test",
];

/** Sufficient for a presigned URL with a session token. */
const maxUrlLength = 8192;

/**
 * Parses a URL before a request, and rejects everything that can be rejected without DNS: anything
 * but HTTPS on port 443, credentials, literal addresses that are not public (in every spelling, as
 * the WHATWG parser normalises them), and host names that cannot be public.
 *
 * @param base for a redirect's Location, the URL that returned it.
 * @returns the parsed URL; its host name has no trailing dot.
 * @throws GuardedRequestError
 */
export function parsePublicHttpsUrl(text: string, base?: URL): URL {
  // Parsers differ in their treatment of whitespace, control characters and backslashes.
  const isAmbiguous = /[\s\p{Cc}\\]/u.test(text);
  const url = isAmbiguous || text.length > maxUrlLength ? null : URL.parse(text, base?.href);
  if (url === null) throw new GuardedRequestError("malformed_url", "not a valid URL");
  if (url.protocol !== "https:") throw new GuardedRequestError("not_https", "not an HTTPS URL");
  if (url.username !== "" || url.password !== "") {
    throw new GuardedRequestError("credentials_not_allowed", "credentials in the URL");
  }
  if (url.port !== "") throw new GuardedRequestError("port_not_allowed", "a port other than 443");

  // A trailing dot marks a complete name; certificates do not contain it.
  url.hostname = url.hostname.replace(/\.$/, "");
  const host = hostOf(url);
  if (isIP(host) === 0 ? !isPublicName(host) : !isGlobalUnicast(host)) {
    throw new GuardedRequestError("unreachable", "the host in the URL is not public");
  }
  return url;
}

/** The host of a URL for connecting: IPv6 addresses without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    !privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`) || name === suffix)
  );
}

/**
 * Checks a reference image's URL when a request is accepted: scheme, port,
 * credentials, literal address and host name. It does not use DNS, so it does
 * not prove that the URL is safe; the fetcher checks the address on connecting.
 *
 * @throws AppError `reference_unreachable`
 */
export function assertPublicHttpsUrl(url: string): void {
  try {
    parsePublicHttpsUrl(url);
  } catch (error) {
    throw error instanceof GuardedRequestError ? toReferenceError(error) : error;
  }
}
