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

/** A job as `GET /v1/jobs/{id}` shows it. */
interface ShownJob {
  readonly starred: boolean;
  readonly keep: object | null;
  readonly result: { readonly image_url?: string; readonly formats?: object };
}

/** Changes of completed jobs, in turn, and what a read shows after each. */
const changes: readonly {
  readonly request: readonly [method: string, path: string, body?: object];
  readonly isShown: (job: ShownJob) => boolean;
}[] = [
  { request: ["PATCH", "", { starred: true }], isShown: ({ starred }) => starred },
  { request: ["POST", "/keep"], isShown: ({ keep }) => keep !== null },
  {
    request: ["DELETE", "/images"],
    isShown: ({ result }) => result.image_url === undefined && result.formats === undefined,
  },
];

/** `paths` of an OpenAPI document: operations by path and method. */
type OfferedPaths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/**
 * Starts clients that request one image after another, from all APIs in turn. Each image is noted, kept or deleted,
 * as far as the first API offers that, and then read from the next API.
 */
export async function startLoad(options: {
  readonly key: string;
  readonly apis: readonly string[];
  readonly clients: number;
}): Promise<Load> {
  let { apis } = options;
  const document = await fetch(`${apis[0]}/openapi.json`);
  const { paths } = (await document.json()) as { readonly paths: OfferedPaths };
  const offered = changes.filter(
    ({ request: [method, path] }) => paths[`/v1/jobs/{id}${path}`]?.[method.toLowerCase()],
  );
  const stopping = new AbortController();
  let sent = 0;
  let images = 0;
  let longestMs = 0;
  const problems: string[] = [];

  async function request(method: string, path: string, body?: object) {
    const url = apis[sent++ % apis.length] ?? "";
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function changeJob(id: string, number: number): Promise<void> {
    const change = offered[number % offered.length];
    if (change === undefined) return;
    const [method, path, body] = change.request;
    const changed = await request(method, `/v1/jobs/${id}${path}`, body);
    const read = await request("GET", `/v1/jobs/${id}`);
    const isRight =
      changed.status === 200 &&
      read.status === 200 &&
      change.isShown(JSON.parse(read.text) as ShownJob);
    if (!isRight) {
      problems.push(`${method} ${path}: ${changed.status} ${changed.text}, then ${read.text}`);
    }
  }

  async function requestImage(): Promise<void> {
    const startedAt = performance.now();
    const body = { model: "builtin-pattern", prompt: "waves" };
    const response = await request("POST", "/v1/generate/image", body);
    const { text } = response;
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    if (response.status === 200) await changeJob((JSON.parse(text) as { id: string }).id, images++);
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
