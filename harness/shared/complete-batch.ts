import { setTimeout as delay } from "node:timers/promises";

/** A line of the results of a batch. */
export interface BatchLine {
  readonly line: number;
  readonly status: string;
  readonly job_id: string | null;
  readonly error: { readonly error: string } | null;
}

/** A batch as its client knows it. */
export interface ClientBatch {
  /** Null when no request was accepted. */
  readonly id: string | null;
  /** Null when the client gave up before it had them. */
  readonly results: readonly BatchLine[] | null;
  /** The last response. */
  readonly last: string;
}

const pauseMs = 500;
const responseMs = 15_000;

/**
 * Sends a batch with one Idempotency-Key until it gets a response, waits until the batch has ended, and reads
 * its results, as documented.
 *
 * @param patienceMs time after which the client gives up.
 */
export async function completeBatch(
  { url, key }: { readonly url: string; readonly key: string },
  batch: {
    readonly requests: readonly object[];
    readonly idempotencyKey: string;
    /** Whether the requests are sent as a file of JSON lines. */
    readonly isFile: boolean;
  },
  patienceMs: number,
): Promise<ClientBatch> {
  const endsAt = performance.now() + patienceMs;
  const { requests, idempotencyKey, isFile } = batch;
  const body = isFile
    ? requests.map((request) => JSON.stringify(request)).join("\n")
    : JSON.stringify({ requests });
  let id: string | null = null;
  let last = "no response";

  /** @returns the body of a successful response. */
  async function ask(method: string, path: string, sent: string | null): Promise<string | null> {
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": isFile ? "application/jsonl" : "application/json",
          ...(method === "POST" && { "Idempotency-Key": idempotencyKey }),
        },
        body: sent,
        signal: AbortSignal.timeout(responseMs),
      });
      const text = await response.text();
      last = `${response.status} ${text.slice(0, 200)}`;
      return response.ok ? text : null;
    } catch (error) {
      // Without a whole response, the same request is sent again.
      last = String(error);
      return null;
    }
  }

  while (performance.now() < endsAt) {
    if (id === null) {
      const created = await ask("POST", "/v1/batches", body);
      if (created !== null) id = (JSON.parse(created) as { readonly id: string }).id;
    } else {
      const read = await ask("GET", `/v1/batches/${id}`, null);
      const isOver =
        read !== null &&
        (JSON.parse(read) as { readonly completed_at: string | null }).completed_at !== null;
      const results = isOver ? await ask("GET", `/v1/batches/${id}/results`, null) : null;
      if (results !== null) return { id, results: readResults(results), last };
    }
    await delay(pauseMs);
  }
  return { id, results: null, last };
}

function readResults(text: string): readonly BatchLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as BatchLine);
}
