import { InvalidRequestError } from "./errors.ts";

/**
 * Where a service is, without what may stand behind it: slashes, and the `/v1` that OpenAI's clients
 * want there.
 *
 * @throws InvalidRequestError `invalid_argument`, also for a user name and password: `fetch` takes none.
 */
export function readBaseUrl(baseUrl: string): string {
  if (isHttpUrl(baseUrl)) {
    const { username, password } = new URL(baseUrl);
    if (username === "" && password === "") return baseUrl.replace(/(\/v1)?\/*$/, "");
    throw new InvalidRequestError(
      "invalid_argument",
      "baseUrl must have no user name and no password. Leave out what stands before the @.",
    );
  }
  throw new InvalidRequestError(
    "invalid_argument",
    `baseUrl must be an address that begins with http:// or https://, such as http://localhost:3000. It is "${baseUrl}".`,
  );
}

/**
 * An id as a part of a path.
 *
 * @throws InvalidRequestError `invalid_argument` for what would lead to another path: nothing, or dots.
 */
export function pathSegment(name: string, id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new InvalidRequestError(
    "invalid_argument",
    `${name} must not be empty, nor dots. Nothing was asked for. It is "${id}".`,
  );
}

export function isHttpUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
