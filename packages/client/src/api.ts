import { readBaseUrl } from "./addresses.ts";
import { assertHeaderValue } from "./headers.ts";
import type { CallOptions } from "./options.ts";
import { readJson, type HttpRequest, type Read, type Transport } from "./transport.ts";

/** Requests to one service with one key. */
export interface Api {
  getJson<Result>(path: string, options?: CallOptions): Promise<Result>;
  deleteJson<Result>(path: string, options?: CallOptions): Promise<Result>;
  /** Sends JSON; `read` takes the answer. */
  post<Result>(
    path: string,
    body: object,
    read: Read<Result>,
    options?: CallOptions & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Result>;
}

/**
 * @param baseUrl may have a path.
 * @throws InvalidRequestError when it is no address, or no header can hold the key.
 */
export function createApi(transport: Transport, baseUrl: string, apiKey: string): Api {
  const base = readBaseUrl(baseUrl);
  assertHeaderValue("apiKey", apiKey);
  const authorization = { Authorization: `Bearer ${apiKey}` };

  function withoutBody(method: HttpRequest["method"]) {
    return <Result>(path: string, { signal }: CallOptions = {}) =>
      transport({ method, url: base + path, headers: authorization, signal }, (response) =>
        readJson<Result>(response),
      );
  }

  return {
    getJson: withoutBody("GET"),
    deleteJson: withoutBody("DELETE"),
    post: (path, body, read, { signal, headers } = {}) =>
      transport(
        {
          method: "POST",
          url: base + path,
          headers: { ...authorization, "Content-Type": "application/json", ...headers },
          body: JSON.stringify(body),
          signal,
        },
        read,
      ),
  };
}
