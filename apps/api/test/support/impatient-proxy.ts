import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** A reverse proxy that does not wait for slow responses. */
export interface ImpatientProxy {
  readonly url: string;
  /** Requests whose connection to the service was closed before their response. */
  timeouts(): number;
  stop(): Promise<void>;
}

/**
 * Starts a reverse proxy that closes its connection to the service when no response has begun after a limit, as
 * proxies and load balancers do after 60 seconds.
 *
 * @param onTimeout what its client gets: a response with 504 (nginx, load balancers), or a cut connection.
 */
export async function startImpatientProxy(
  serviceUrl: string,
  limitMs: number,
  onTimeout: "answers 504" | "cuts the connection",
): Promise<ImpatientProxy> {
  let timeouts = 0;
  const server = createServer((request, response) => {
    const { method, headers, url = "" } = request;
    const upstream = sendRequest(serviceUrl + url, { method, headers, agent: false });
    const limit = setTimeout(() => {
      timeouts += 1;
      upstream.destroy();
      if (onTimeout === "answers 504") response.writeHead(504).end("Gateway Time-out");
      else response.destroy();
    }, limitMs);
    upstream.on("response", (answer) => {
      clearTimeout(limit);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on("error", () => undefined);
    response.on("close", () => {
      clearTimeout(limit);
      upstream.destroy();
    });
    request.pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeouts: () => timeouts,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
