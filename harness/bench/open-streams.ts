import { request, type IncomingMessage } from "node:http";

/** Event streams that stay open and are read, but not parsed. */
export interface OpenStreams {
  /** Streams that have not ended. */
  count(): number;
  close(): void;
}

/** A path and the headers of its request. */
export interface StreamAddress {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Opens event streams, up to `concurrency` at a time, each on its own connection. */
export async function openStreams(
  baseUrl: string,
  addresses: readonly StreamAddress[],
  concurrency: number,
): Promise<OpenStreams> {
  const { hostname, port } = new URL(baseUrl);
  const open = new Set<IncomingMessage>();
  const left = [...addresses];

  function openStream({ path, headers }: StreamAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = request({ agent: false, hostname, port, path, headers }, (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`GET ${path} → ${response.statusCode}`));
          return;
        }
        open.add(response);
        response.once("close", () => open.delete(response));
        response.on("error", () => undefined);
        response.resume();
        resolve();
      });
      sent.once("error", reject);
      sent.end();
    });
  }

  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await openStream(next);
    }),
  );
  return {
    count: () => open.size,
    close() {
      for (const response of open) response.destroy();
    },
  };
}
