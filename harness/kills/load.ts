import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { completeBatch } from "../shared/complete-batch.ts";
import type { Installation } from "./installation.ts";

/** Clients that generate one image after another, and one that sends small batches, as documented. */
export interface Load {
  /** Generates one additional image; returns whether it was completed before the client gave up. */
  probe(): Promise<boolean>;
  /** Stops the clients after their current image. */
  settle(): Promise<{
    readonly images: number;
    readonly batches: number;
    readonly problems: readonly string[];
  }>;
}

/**
 * Starts the clients.
 *
 * @param patienceMs time after which a client gives up and reports a problem.
 */
export function startLoad(options: {
  readonly service: Pick<Installation, "url" | "key">;
  readonly clients: number;
  readonly patienceMs: number;
}): Load {
  const { service, clients, patienceMs } = options;
  const problems: string[] = [];
  let images = 0;
  let batches = 0;
  const finished = new AbortController();

  async function generate(): Promise<boolean> {
    const outcome = await completeRequest(service, patienceMs);
    if (outcome === "completed") images += 1;
    else problems.push(`a client received ${outcome} instead of completed`);
    return outcome === "completed";
  }

  async function generateBatch(): Promise<void> {
    const problem = await findBatchProblem(service, batches, patienceMs);
    if (problem !== null) problems.push(problem);
    batches += 1;
  }

  const running = [
    ...Array.from({ length: clients }, async () => {
      while (!finished.signal.aborted) await generate();
    }),
    (async () => {
      while (!finished.signal.aborted) await generateBatch();
    })(),
  ];

  return {
    probe: generate,
    async settle() {
      finished.abort();
      await Promise.all(running);
      return { images, batches, problems };
    },
  };
}

/** Lines of a batch. */
const batchLines = 4;

/** Sends a batch, and returns what is wrong with its results, or null. */
async function findBatchProblem(
  service: Pick<Installation, "url" | "key">,
  index: number,
  patienceMs: number,
): Promise<string | null> {
  const requests = Array.from({ length: batchLines }, () => ({
    operation: "image",
    body: { model: "builtin-pattern", prompt: "waves" },
  }));
  const batch = { requests, idempotencyKey: randomUUID(), isFile: index % 2 === 1 };
  const { id, results, last } = await completeBatch(service, batch, patienceMs);
  if (results === null) return `a client did not get the results of batch ${id}: ${last}`;
  const received = results.map(({ line, status }) => `${line} ${status}`).join();
  const jobs = new Set(results.map(({ job_id }) => job_id)).size;
  const expected = requests.map((_, line) => `${line + 1} completed`).join();
  if (received === expected && jobs === batchLines) return null;
  return `the results of batch ${id} were ${received} with ${jobs} jobs`;
}

/**
 * Sends a request with one Idempotency-Key until it gets a response, and polls its job until that
 * is final.
 */
async function completeRequest(
  { url, key }: Pick<Installation, "url" | "key">,
  patienceMs: number,
): Promise<string> {
  const endsAt = performance.now() + patienceMs;
  const idempotencyKey = randomUUID();
  let jobId: string | null = null;
  let last = "no response";
  while (performance.now() < endsAt) {
    try {
      const response: Response =
        jobId === null
          ? await fetch(`${url}/v1/generate/image`, {
              method: "POST",
              headers: {
                Authorization: `Bearer ${key}`,
                "Content-Type": "application/json",
                "Idempotency-Key": idempotencyKey,
                Prefer: "respond-async",
              },
              body: JSON.stringify({ model: "builtin-pattern", prompt: "waves" }),
              signal: AbortSignal.timeout(15_000),
            })
          : await fetch(`${url}/v1/jobs/${jobId}`, {
              headers: { Authorization: `Bearer ${key}` },
              signal: AbortSignal.timeout(15_000),
            });
      const body = (await response.json()) as {
        readonly status?: string;
        readonly error?: unknown;
      };
      last = `${response.status} ${body.status ?? String(body.error)}`;
      jobId ??= response.headers.get("X-Service-Job-Id");
      if (response.ok && (body.status === "completed" || body.status === "failed")) {
        return body.status;
      }
      if (response.status >= 400 && ![409, 429, 500, 503].includes(response.status)) return last;
    } catch (error) {
      // Without a response, the same request is sent again.
      last = String(error);
    }
    await delay(300);
  }
  return `timeout after ${last}`;
}
