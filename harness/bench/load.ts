import { Agent, request } from "node:http";

export interface HttpCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expectedStatus: number;
}

export interface HttpClient {
  /** Sends a request and reads the complete response; returns the duration in ms. */
  send(call: HttpCall): Promise<number>;
  close(): void;
}

/**
 * Creates a client that keeps its connections and uses little CPU, because it shares the machine
 * with the service.
 */
export function createHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(baseUrl);
  return {
    send({ method, path, headers = {}, body, expectedStatus }) {
      const startedAt = performance.now();
      return new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
        const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
        const sent = request(options, (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => (text += part));
          response.once("error", reject);
          response.once("end", () => {
            if (response.statusCode === expectedStatus) resolve(performance.now() - startedAt);
            else reject(new Error(`${method} ${path} → ${response.statusCode}: ${text}`));
          });
        });
        sent.once("error", reject);
        sent.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/**
 * Sends requests sequentially on each of several connections.
 *
 * @param send receives the index of its connection.
 * @returns requests per second.
 */
export async function measureRate(
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
  send: (connection: number) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      while (performance.now() < endsAt) {
        await send(connection);
        done++;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1_000;
}
