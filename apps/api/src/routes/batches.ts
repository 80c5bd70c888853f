import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import {
  batchNotFound,
  findBatch,
  forgetParts,
  listBatches,
  requestCancellation,
  type Batch,
} from "@atelier/generations/batches";
import {
  AppError,
  batchId,
  newBatch,
  parseRequest,
  type batchArchiveQuery,
  type newBatchQuery,
} from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Request, RequestHandler, Response } from "express";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type * as z from "zod";
import { createOnce, type CreatedBatch } from "../batches/create-once.ts";
import { presentBatch } from "../batches/present-batch.ts";
import { isJsonLines, receiveFile } from "../batches/receive-file.ts";
import { createBatchArchiveSender } from "../batches/send-archive.ts";
import { readResults } from "../batches/send-results.ts";
import { joinLines } from "../batches/split-lines.ts";
import type { ApiDependencies, Needs } from "../dependencies.ts";
import { readBodyWithin } from "../http/body/read-body.ts";
import { isDisconnect } from "../http/answer/is-disconnect.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import { readBareIdempotencyKey, readIdempotencyKey } from "../http/idempotency-key.ts";
import { createShares } from "../http/limits/shares.ts";
import { chargeRefusedUpload, chargeWork } from "../http/limits/rate-limit.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** The largest body has a thousand requests. */
const bodyLimits = { depth: 64, values: 40_000, members: 20_000 };

/** Results that are sent, and files that are received, at the same time. */
const limits = { total: 8, perAccount: 2 };

/** `/v1/batches`: many requests that are accepted in the background. */
export function serveBatches(
  routes: Routes,
  dependencies: Needs<"accountGate" | "admissions" | "config" | "database" | "logger" | "storage">,
): void {
  const { database } = dependencies;
  const options = { notFound: batchNotFound };
  routes.send(endpoints.createBatch, postBatch(dependencies), { body: readBatch() });

  routes.add(endpoints.listBatches, async ({ caller, query: { cursor, limit } }) => {
    const beforeId = readCursor(cursor);
    const found = await listBatches(database, { ...visibleTo(caller), beforeId, limit });
    const { page, nextCursor } = splitPage(found, limit);
    return { batches: page.map(presentBatch), next_cursor: nextCursor };
  });

  routes.add(
    endpoints.readBatch,
    async ({ caller, params: { id } }) => presentBatch(await findVisible(id, caller, database)),
    options,
  );

  // Accepts no further line and cancels the unfinished jobs, in the background.
  routes.add(
    endpoints.cancelBatch,
    async ({ caller, params: { id } }) => {
      await findVisible(id, caller, database);
      await requestCancellation(database, id);
      const batch = await findVisible(id, caller, database);
      return [batch.completedAt === null ? 202 : 200, presentBatch(batch)] as const;
    },
    options,
  );

  routes.send(endpoints.readBatchResults, sendResults(dependencies));
  routes.send(endpoints.downloadBatchArchive, sendArchive(dependencies));
}

/** Reads a JSON body; a file of JSON lines is received by the handler. */
function readBatch(): RequestHandler {
  const readRequests = readBodyWithin(bodyLimits);
  return (request, response, next) =>
    isJsonLines(request) ? next() : readRequests(request, response, next);
}

/**
 * `POST /v1/batches`: stores the requests, which are accepted in the background. A repeated `Idempotency-Key`
 * returns the batch of the first request.
 */
function postBatch(
  dependencies: Needs<"accountGate" | "admissions" | "config" | "database" | "logger">,
) {
  const { config, database } = dependencies;
  const receiving = createShares(limits);
  return async (
    request: Request,
    response: Response,
    query: z.infer<typeof newBatchQuery>,
  ): Promise<void> => {
    const { caller } = contextOf(response);
    const id = newId();
    if (!isJsonLines(request)) {
      if (query.webhook_url !== undefined) throw queryOfFile();
      const { requests, webhook_url: webhookUrl } = parseRequest(newBatch, request.body);
      const bound = { requests, ...(webhookUrl !== undefined && { webhook_url: webhookUrl }) };
      const idempotency = readIdempotencyKey(request, bound, caller);
      const parts = joinLines(requests.map((line) => Buffer.from(JSON.stringify(line))));
      const linesTotal = requests.length;
      const batch = { id, caller, linesTotal, parts, idempotency, webhookUrl };
      return send(await createOnce(batch, dependencies));
    }
    const { webhook_url: webhookUrl } = query;
    const key = readBareIdempotencyKey(request, caller);
    const leave = receiving.take(caller.accountId);
    const received = { bytes: 0 };
    try {
      const file = await receiveFile(id, request, response, received, dependencies);
      const requestHash = hashOf(file.sha256, webhookUrl);
      const idempotency = key === null ? null : { key, requestHash };
      const { linesTotal } = file;
      const batch = { id, caller, linesTotal, parts: [], idempotency, webhookUrl };
      const outcome = await createOnce(batch, dependencies).catch(async (error: unknown) => {
        // After another error, the batch may exist; if it does not, the sweep deletes its parts.
        if (error instanceof AppError) await forgetParts(database, id);
        throw error;
      });
      if (outcome.isReplayed) await forgetParts(database, id);
      await chargeWork(response, Math.floor(received.bytes / 1_048_576), dependencies);
      send(outcome);
    } catch (error) {
      await chargeRefusedUpload(error, received.bytes, response, dependencies);
      throw error;
    } finally {
      leave();
    }

    function send({ batch, isReplayed }: CreatedBatch): void {
      if (isReplayed) response.set("Idempotent-Replayed", "true");
      const url = `${config.PUBLIC_URL}/v1/batches/${batch.id}`;
      response.status(202).set("Location", url).json(presentBatch(batch));
    }
  };
}

/** The hash of a file with the URL of its query. */
function hashOf(fileHash: Buffer, webhookUrl: string | undefined): Buffer {
  if (webhookUrl === undefined) return fileHash;
  return createHash("sha256").update(fileHash).update(webhookUrl).digest();
}

function queryOfFile(): AppError {
  return new AppError(
    "invalid_request",
    "The query has webhook_url, which is for a file of JSON lines. Put webhook_url into the body.",
  ).at("webhook_url");
}

/**
 * `GET /v1/batches/{id}/results`: the lines that have ended, in their order, as JSON lines. They are read page
 * by page as fast as the client accepts them.
 */
function sendResults(
  dependencies: Needs<"admissions" | "config" | "database" | "logger" | "storage">,
) {
  const limit = createShares(limits);
  return async (request: Request, response: Response): Promise<void> => {
    const { caller, requestId } = contextOf(response);
    const batch = await findVisible(request.params["id"], caller, dependencies.database);
    const leave = limit.take(caller.accountId);
    const charge = () => chargeWork(response, 1, dependencies);
    try {
      response.type("application/x-ndjson");
      response.set("Content-Disposition", `attachment; filename="atelier-${batch.id}.jsonl"`);
      await pipeline(Readable.from(writeResults(batch, charge, dependencies)), response);
    } catch (error) {
      // The connection is closed by now, so that the client sees an incomplete response.
      if (!isDisconnect(error)) {
        dependencies.logger.error({ err: error, requestId }, "results of a batch not sent");
      }
    } finally {
      leave();
    }
  };
}

/** `GET /v1/batches/{id}/archive`: the images of up to 500 lines as a ZIP. */
function sendArchive(dependencies: Needs<"admissions" | "database" | "logger" | "storage">) {
  const send = createBatchArchiveSender(dependencies);
  return async (
    request: Request,
    response: Response,
    query: z.infer<typeof batchArchiveQuery>,
  ): Promise<void> => {
    const { caller } = contextOf(response);
    const batch = await findVisible(request.params["id"], caller, dependencies.database);
    await send(response, batch, query, () => chargeWork(response, 1, dependencies));
  };
}

async function* writeResults(
  batch: Batch,
  charge: () => Promise<void>,
  dependencies: Needs<"config" | "database" | "storage">,
): AsyncGenerator<string> {
  for await (const result of readResults(batch, charge, dependencies)) {
    yield `${JSON.stringify(result)}\n`;
  }
}

/** @throws AppError `batch_not_found`, also for an id of the wrong form. */
async function findVisible(
  id: unknown,
  caller: Caller,
  database: ApiDependencies["database"],
): Promise<Batch> {
  const parsed = batchId.safeParse(id);
  if (!parsed.success) throw batchNotFound();
  const batch = await findBatch(database, { ...visibleTo(caller), batchId: parsed.data });
  if (batch === null) throw batchNotFound();
  return batch;
}
