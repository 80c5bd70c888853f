import { pathSegment, readBaseUrl, withQuery } from "./addresses.ts";
import type { Endpoints } from "./generated/endpoints.ts";
import { assertHeaderValue } from "./headers.ts";
import type { CallOptions } from "./options.ts";
import { readJson, type HttpRequest, type Read, type Transport } from "./transport.ts";
import type { Bytes } from "./types.ts";

interface SendOptions extends CallOptions {
  /** The ids of the path in their order, by the names that an error says. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  /** Sent as JSON, or as it is; without one, a POST sends an empty object. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** See `HttpRequest`. */
  readonly once?: boolean;
  readonly timeoutMs?: number;
}

type EndpointCall<Name extends keyof Endpoints> = Omit<SendOptions, "params" | "query" | "body"> &
  Omit<Endpoints[Name], "query" | "result"> &
  (Endpoints[Name] extends { readonly query: infer Query }
    ? { readonly query?: Query | undefined }
    : unknown) &
  (Name extends `${string}{${string}` ? Required<Pick<SendOptions, "params">> : unknown);

/** Sends requests to one service with one key. */
export interface Api {
  /** Calls an endpoint, such as `GET /v1/presets/{id}`. */
  readonly call: <Name extends keyof Endpoints>(
    endpoint: Name,
    ...options: object extends EndpointCall<Name> ? [EndpointCall<Name>?] : [EndpointCall<Name>]
  ) => Promise<Endpoints[Name]["result"]>;
  /** Sends a request to a method and path as of an endpoint; `read` reads the response. */
  readonly send: <Result>(
    endpoint: string,
    read: Read<Result>,
    options?: SendOptions,
  ) => Promise<Result>;
}

/**
 * @param baseUrl may have a path.
 * @throws InvalidRequestError for an invalid base URL, or a key that cannot be sent in a header.
 */
export function createApi(transport: Transport, baseUrl: string, apiKey: string): Api {
  const base = readBaseUrl(baseUrl);
  assertHeaderValue("apiKey", apiKey);

  const send: Api["send"] = async (endpoint, read, options = {}) => {
    const { params = {}, query = {}, headers, signal, once, timeoutMs } = options;
    const [method, template = ""] = endpoint.split(" ");
    const ids = Object.entries(params).map(([name, id]) => pathSegment(name, id));
    const path = template.replaceAll(/\{\w+\}/g, () => ids.shift() ?? "");
    const body = options.body ?? (method === "POST" ? {} : undefined);
    const isBytes = body instanceof Uint8Array;
    const sent = isBytes ? (body as Bytes) : JSON.stringify(body);
    const request = {
      method: method as HttpRequest["method"],
      url: base + withQuery(path, query),
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && !isBytes && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: sent }),
      signal,
      once,
      timeoutMs,
    };
    return transport(request, read);
  };

  return {
    send,
    call: (endpoint, options?: SendOptions) =>
      send(endpoint, readResult<Endpoints[typeof endpoint]["result"]>, options),
  };
}

/** Reads JSON; a response without a body is undefined. */
export async function readResult<Result>(response: Response): Promise<Result> {
  return response.status === 204 ? (undefined as Result) : readJson<Result>(response);
}

/** Returns the body unread; errors after its beginning are those of the stream. */
export async function readStream({ body }: Response): Promise<ReadableStream<Uint8Array>> {
  if (body === null) throw new Error("the response has no body");
  return body;
}

export type { Endpoints } from "./generated/endpoints.ts";
export { createTransport } from "./transport.ts";
