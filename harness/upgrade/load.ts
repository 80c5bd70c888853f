import { setTimeout as delay } from "node:timers/promises";

/** Requests that are sent until the load is stopped. */
export interface Load {
  /** Sends further requests to these APIs. */
  useApis(urls: readonly string[]): void;
  /** Waits for the current requests. */
  stop(): Promise<LoadOutcome>;
}

interface LoadOutcome {
  readonly images: number;
  readonly longestMs: number;
  readonly problems: readonly string[];
}

/** Starts clients that request one image after another, from all APIs in turn. */
export function startLoad(options: {
  readonly key: string;
  readonly apis: readonly string[];
  readonly clients: number;
}): Load {
  let { apis } = options;
  const stopping = new AbortController();
  let sent = 0;
  let images = 0;
  let longestMs = 0;
  const problems: string[] = [];

  async function requestImage(): Promise<void> {
    const url = apis[sent++ % apis.length] ?? "";
    const startedAt = performance.now();
    const response = await fetch(`${url}/v1/generate/image`, {
      method: "POST",
      headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "builtin-pattern", prompt: "waves" }),
    });
    const text = await response.text();
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    if (response.status === 200) images++;
    // A stopping API answers a waiting request with 202, and the job continues.
    else if (response.status !== 202) problems.push(`${response.status} ${text.slice(0, 300)}`);
  }

  const clients = Array.from({ length: options.clients }, async () => {
    while (!stopping.signal.aborted) {
      await requestImage().catch((error: unknown) => problems.push(String(error)));
      await delay(50);
    }
  });
  return {
    useApis(urls) {
      apis = urls;
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      return { images, longestMs, problems };
    },
  };
}
