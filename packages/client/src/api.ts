import { readBaseUrl } from "./addresses.ts";
import { assertHeaderValue } from "./headers.ts";
import type { CallOptions } from "./options.ts";
import { readJson, type HttpRequest, type Read, type Transport } from "./transport.ts";

/** Sends requests to one service with one key. */
export interface Api {
  getJson<Result>(path: string, options?: CallOptions): Promise<Result>;
  /** `read` reads the response. */
  get<Result>(
    path: string,
    read: Read<Result>,
    options?: CallOptions & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Result>;
  deleteJson<Result>(path: string, options?: CallOptions): Promise<Result>;
  patchJson<Result>(path: string, body: object, options?: CallOptions): Promise<Result>;
  /** Returns the body unread; errors after its beginning are those of the stream. */
  getStream(path: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;
  /** Opens an event stream; null when the response has no body. */
  openStream(
    path: string,
    options: CallOptions & { readonly headers: Readonly<Record<string, string>> },
  ): Promise<ReadableStream<Uint8Array> | null>;
  /** Deletes what has no response body. */
  delete(path: string, options?: CallOptions): Promise<void>;
  /** Sends bytes and reads JSON. */
  postBytes<Result>(
    path: string,
    bytes: Uint8Array<ArrayBuffer>,
    mediaType: string,
    options?: CallOptions & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Result>;
  /** Sends JSON; `read` reads the response. */
  post<Result>(
    path: string,
    body: object,
    read: Read<Result>,
    options?: CallOptions & {
      readonly headers?: Readonly<Record<string, string>>;
      /** See `HttpRequest`. */
      readonly once?: boolean;
    },
  ): Promise<Result>;
}

/**
 * @param baseUrl may have a path.
 * @throws InvalidRequestError for an invalid base URL, or a key that cannot be sent in a header.
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
    patchJson: <Result>(path: string, body: object, { signal }: CallOptions = {}) =>
      transport(
        {
          method: "PATCH",
          url: base + path,
          headers: { ...authorization, "Content-Type": "application/json" },
          body: JSON.stringify(body),
          signal,
        },
        (response) => readJson<Result>(response),
      ),
    get: (path, read, { signal, headers } = {}) =>
      transport(
        { method: "GET", url: base + path, headers: { ...authorization, ...headers }, signal },
        read,
      ),
    delete: (path, { signal } = {}) =>
      transport({ method: "DELETE", url: base + path, headers: authorization, signal }, () =>
        Promise.resolve(),
      ),
    postBytes: <Result>(
      path: string,
      bytes: Uint8Array<ArrayBuffer>,
      mediaType: string,
      { signal, headers }: Parameters<Api["postBytes"]>[3] = {},
    ) =>
      transport(
        {
          method: "POST",
          url: base + path,
          headers: { ...authorization, "Content-Type": mediaType, ...headers },
          body: bytes,
          signal,
        },
        (response) => readJson<Result>(response),
      ),
    getStream: (path, { signal } = {}) =>
      transport(
        { method: "GET", url: base + path, headers: authorization, signal },
        async (response) => {
          if (response.body === null) throw new Error("the response has no body");
          return response.body;
        },
      ),
    openStream: (path, { signal, headers }) =>
      transport(
        { method: "GET", url: base + path, headers: { ...authorization, ...headers }, signal },
        (response) => Promise.resolve(response.body),
      ),
    post: (path, body, read, { signal, headers, once } = {}) =>
      transport(
        {
          method: "POST",
          url: base + path,
          headers: { ...authorization, "Content-Type": "application/json", ...headers },
          body: JSON.stringify(body),
          signal,
          once,
        },
        read,
      ),
  };
}
