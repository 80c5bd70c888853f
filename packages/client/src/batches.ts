import { readStream, type Api } from "./api.ts";
import { readBytes } from "./download-image.ts";
import { createIdempotencyKey } from "./generate.ts";
import { assertHeaderValue } from "./headers.ts";
import type { CallOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { readLines } from "./read-lines.ts";
import { readJson } from "./transport.ts";
import type {
  Bytes,
  Batch,
  BatchArchiveQuery,
  BatchList,
  BatchQuery,
  BatchResult,
  NewBatch,
} from "./types.ts";

interface CreateBatchOptions extends CallOptions {
  /**
   * For 24 hours, the same key with the same requests returns the same batch. Default: a new key for each
   * call, kept for its retries.
   */
  readonly idempotencyKey?: string | undefined;
}

interface CreateFromFileOptions extends CreateBatchOptions {
  /** Where the event `batch.completed` of the batch is sent. */
  readonly webhookUrl?: string | undefined;
}

export interface Batches {
  /**
   * Creates a batch: many requests that are accepted in the background, in their order, and whose images
   * are made after those of all other requests.
   *
   * @example
   * ```ts
   * const prompts = ["a lighthouse at dusk", "a lighthouse at dawn"];
   * const { id } = await atelier.batches.create({
   *   requests: prompts.map((prompt) => ({
   *     operation: "image",
   *     body: { model: "builtin-illustrator", prompt },
   *   })),
   * });
   * ```
   */
  create(batch: NewBatch, options?: CreateBatchOptions): Promise<Batch>;
  /**
   * Creates a batch from a file of JSON lines with up to 50,000 requests and 50 MB. Each line has the
   * `operation` and `body` of a request.
   *
   * @throws RefusedError whose `details` have the number of the first invalid `line`.
   *
   * @example
   * ```ts
   * const file = prompts.map((prompt) =>
   *   JSON.stringify({ operation: "image", body: { model: "builtin-illustrator", prompt } }),
   * );
   * const { id } = await atelier.batches.createFromFile(new TextEncoder().encode(file.join("\n")));
   * ```
   */
  createFromFile(file: Bytes, options?: CreateFromFileOptions): Promise<Batch>;
  /**
   * Returns a page of the account's batches, newest first.
   *
   * @example
   * ```ts
   * const { batches, next_cursor } = await atelier.batches.list({ limit: 10 });
   * console.log(batches.length, next_cursor);
   * ```
   */
  list(query?: BatchQuery, options?: CallOptions): Promise<BatchList>;
  /**
   * Reads a batch with its counts.
   *
   * @example
   * ```ts
   * const { counts, waiting_for } = await atelier.batches.get(batchId);
   * console.log(counts.completed, counts.total, waiting_for?.error);
   * ```
   */
  get(batchId: string, options?: CallOptions): Promise<Batch>;
  /**
   * Cancels what is unfinished. Images that are being made are completed and charged; the batch is
   * `cancelling` until then.
   *
   * @example
   * ```ts
   * const { status } = await atelier.batches.cancel(batchId);
   * console.log(status);
   * ```
   */
  cancel(batchId: string, options?: CallOptions): Promise<Batch>;
  /**
   * Waits until a batch has ended, without a time limit other than the signal. Failed lines do not reject.
   *
   * @example
   * ```ts
   * const { status, counts, cost_eur } = await atelier.batches.wait(batchId);
   * console.log(status, counts.failed, cost_eur);
   * ```
   */
  wait(batchId: string, options?: CallOptions): Promise<Batch>;
  /**
   * Reads the lines that have ended, in their order, with new signed URLs.
   *
   * @example
   * ```ts
   * for await (const { line, result, error } of atelier.batches.results(batchId)) {
   *   console.log(line, result?.image_url ?? error?.message);
   * }
   * ```
   */
  results(batchId: string, options?: CallOptions): AsyncGenerator<BatchResult, void, undefined>;
  /**
   * Downloads the images of up to 500 lines as a ZIP, with a folder for each line.
   *
   * @throws RefusedError `file_not_found` when these lines have no images.
   *
   * @example
   * ```ts
   * await writeFile("batch.zip", await atelier.batches.archive(batchId, { format: "webp" }));
   * await writeFile("batch-2.zip", await atelier.batches.archive(batchId, { after_line: 500 }));
   * ```
   */
  archive(batchId: string, query?: BatchArchiveQuery, options?: CallOptions): Promise<Uint8Array>;
}

/** Interval of polling, in milliseconds. */
const pollMs = 2_000;

export function createBatches({ call, send }: Api): Batches {
  const get: Batches["get"] = (batchId, options) =>
    call("GET /v1/batches/{id}", { params: { batchId }, ...options });
  return {
    create: async (body, { signal, idempotencyKey = createIdempotencyKey() } = {}) => {
      assertHeaderValue("idempotencyKey", idempotencyKey);
      const headers = { "Idempotency-Key": idempotencyKey };
      return call("POST /v1/batches", { body, signal, headers });
    },
    createFromFile: async (body, options = {}) => {
      const { signal, webhookUrl, idempotencyKey = createIdempotencyKey() } = options;
      assertHeaderValue("idempotencyKey", idempotencyKey);
      const headers = { "Content-Type": "application/jsonl", "Idempotency-Key": idempotencyKey };
      const query = { webhook_url: webhookUrl };
      return send("POST /v1/batches", readJson<Batch>, { query, body, signal, headers });
    },
    list: (query, options) => call("GET /v1/batches", { query, ...options }),
    get,
    cancel: (batchId, options) =>
      call("DELETE /v1/batches/{id}", { params: { batchId }, ...options }),
    async wait(batchId, { signal } = {}) {
      for (;;) {
        const batch = await get(batchId, { signal });
        if (batch.completed_at !== null) return batch;
        await pause(pollMs, signal);
      }
    },
    async *results(batchId, options) {
      const sent = { params: { batchId }, ...options };
      const body = await send("GET /v1/batches/{id}/results", readStream, sent);
      for await (const text of readLines(body)) yield JSON.parse(text) as BatchResult;
    },
    archive: (batchId, query, options) =>
      send("GET /v1/batches/{id}/archive", readBytes, { params: { batchId }, query, ...options }),
  };
}
