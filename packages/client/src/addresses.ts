import { InvalidRequestError } from "./errors.ts";

/**
 * Normalises a base URL: removes surrounding spaces, trailing slashes, and a trailing `/v1`, as OpenAI's
 * clients use it.
 *
 * @throws InvalidRequestError `invalid_argument` for an invalid URL, one with a query or fragment, to which
 *   no path can be added, or one with a user name or password, which `fetch` does not accept.
 */
export function readBaseUrl(baseUrl: string): string {
  if (isHttpUrl(baseUrl)) {
    const { href, username, password } = new URL(baseUrl);
    if (username !== "" || password !== "") {
      throw new InvalidRequestError(
        "invalid_argument",
        "baseUrl must not contain a user name or password. Remove the part before the @.",
      );
    }
    if (/[?#]/.test(href)) {
      throw new InvalidRequestError(
        "invalid_argument",
        `baseUrl must not contain a query or fragment. Remove the part from the ? or # on: "${baseUrl}".`,
      );
    }
    return href.replace(/(?<!\/)\/+$/, "").replace(/\/v1$/, "");
  }
  throw new InvalidRequestError(
    "invalid_argument",
    `baseUrl must start with http:// or https://, such as http://localhost:3000, but is "${baseUrl}".`,
  );
}

/**
 * Encodes an id as a path segment.
 *
 * @throws InvalidRequestError `invalid_argument` for an empty id or dots, which would change the path.
 */
export function pathSegment(name: string, id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new InvalidRequestError(
    "invalid_argument",
    `${name} must be an id, but is "${id}". No request was sent.`,
  );
}

export function isHttpUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** Adds a query to a path; undefined values are left out. */
export function withQuery(path: string, query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
