import { request as openRequest, type ClientRequest } from "node:http";

/** A request whose headers were sent. */
export interface RequestInFlight {
  /** Sends the body. */
  readonly finish: () => void;
  /** Of its response; null without one. */
  readonly status: Promise<number | null>;
}

const body = JSON.stringify({ model: "builtin-pattern", prompt: "a request in flight" });

/** Sends the headers of a request for an image. @param headers with the credential. */
export function sendHeaders(
  url: string,
  headers: Readonly<Record<string, string>>,
): RequestInFlight {
  const request: ClientRequest = openRequest(`${url}/v1/generate/image`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Prefer: "respond-async",
      ...headers,
    },
  });
  const status = new Promise<number | null>((resolve) => {
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    request.once("error", () => resolve(null));
    request.setTimeout(30_000, () => request.destroy());
    request.once("close", () => resolve(null));
  });
  request.flushHeaders();
  return { finish: () => request.end(body), status };
}
