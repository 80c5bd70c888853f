import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import {
  findUpload,
  findUploadOfKey,
  UploadKeyTakenError,
  type Upload,
} from "@atelier/generations/uploads";
import { AppError, maxUploadBytes } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import { hash } from "node:crypto";
import type { Needs } from "../dependencies.ts";
import { presentUpload } from "../generations/uploads/present-upload.ts";
import {
  removeUpload,
  reserveUploadQuota,
  storeUpload,
  type StoreDependencies,
} from "../generations/uploads/store-upload.ts";
import type { Shares } from "../http/limits/shares.ts";
import { leaveBody } from "../http/body/read-body.ts";
import { readFormFile } from "../http/body/read-form-file.ts";
import { readUploadHeaders, receiveUpload, uploadTooLarge } from "../http/body/receive-upload.ts";
import { contextOf } from "../http/context.ts";
import { idempotencyKeyReused, readBareIdempotencyKey } from "../http/idempotency-key.ts";
import { chargeRefusedUpload } from "../http/limits/rate-limit.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** Memory for images that are being received, in bytes: of the process, and of one account. */
export const receivingMemory = { total: 100_000_000, perAccount: 45_000_000 };

/** `/v1/uploads`: images that requests refer to. */
export function serveUploads(
  routes: Routes,
  dependencies: StoreDependencies &
    Needs<"admissions" | "logger" | "parts"> & {
      readonly uploadBudget: Pick<Shares, "take">;
    },
): void {
  const options = { notFound: noUpload };
  routes.send(endpoints.createUpload, createUpload(dependencies), { body: leaveBody });

  routes.add(
    endpoints.readUpload,
    async ({ caller, params: { id } }) => {
      const upload = await findUpload(dependencies.database, { ...visibleTo(caller), id });
      if (upload === null) throw noUpload();
      return presentUpload(upload, dependencies);
    },
    options,
  );

  // The sweep removes the file of one that unfinished jobs use when they are done.
  routes.add(
    endpoints.deleteUpload,
    async ({ caller, params: { id } }) => {
      const isRemoved = await removeUpload({ ...visibleTo(caller), id }, dependencies);
      if (!isRemoved) throw noUpload();
    },
    options,
  );
}

/**
 * `POST /v1/uploads`: stores an image. The quota is reserved before anything is received, the bytes are
 * hashed and their header is read; a worker decodes them when a job uses the upload. If the process
 * dies, the sweep removes the reservation and the file. A repeated `Idempotency-Key` returns the upload
 * of the first request that stored its file.
 */
function createUpload(
  dependencies: StoreDependencies &
    Needs<"admissions" | "logger" | "parts"> & {
      readonly uploadBudget: Pick<Shares, "take">;
    },
) {
  const { parts, logger, uploadBudget } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const { accountId } = caller;
    const expected = readUploadHeaders(request);
    const idempotencyKey = readBareIdempotencyKey(request, caller);
    parts.requireStorage();
    const release = uploadBudget.take(accountId, expected.maxBytes);
    const id = newId();
    let receivedBytes = 0;
    try {
      const earlier = await findEarlier(caller, idempotencyKey);
      if (earlier === null) {
        const sizeBytes = Math.min(expected.maxBytes, maxUploadBytes);
        await reserveUploadQuota({ id, caller, sizeBytes }, dependencies);
      }
      const body = await receiveUpload(request, response, expected);
      receivedBytes = body.byteLength;
      const bytes = expected.form === "image" ? body : await readFormFile(body, request.headers);
      if (bytes.byteLength > maxUploadBytes) throw uploadTooLarge();
      const stored = earlier === null ? await store({ id, caller, bytes, idempotencyKey }) : null;
      const upload = stored ?? earlier ?? (await findEarlier(caller, idempotencyKey));
      if (upload === null) throw noUpload();
      if (stored === null) {
        if (upload.sha256 !== hash("sha256", bytes)) throw idempotencyKeyReused();
        await removeUpload({ accountId, id }, dependencies);
        response.set("Idempotent-Replayed", "true");
      }
      response.status(201).json(await presentUpload(upload, dependencies));
    } catch (error) {
      await removeUpload({ accountId, id }, dependencies).catch((failure: unknown) => {
        logger.warn({ err: failure, uploadId: id }, "failed upload remains, left to the sweep");
      });
      await chargeRefusedUpload(error, receivedBytes, response, dependencies);
      throw error;
    } finally {
      release();
    }
  };

  /** @returns null when the sweep has removed the upload, or another one has the idempotency key. */
  async function store(upload: Parameters<typeof storeUpload>[0]): Promise<Upload | null> {
    try {
      return await storeUpload(upload, dependencies);
    } catch (error) {
      if (error instanceof UploadKeyTakenError) return null;
      throw error;
    }
  }

  /**
   * Finds the upload of an earlier request with the same key.
   *
   * @throws AppError `idempotency_key_reused` for an upload that the caller may not read.
   */
  async function findEarlier(
    caller: Caller,
    idempotencyKey: string | null,
  ): Promise<Upload | null> {
    if (idempotencyKey === null) return null;
    const { accountId } = caller;
    const found = await findUploadOfKey(dependencies.database, { accountId, idempotencyKey });
    if (found === null) return null;
    const { keyId, mode } = visibleTo(caller);
    const isOther = (keyId ?? found.keyId) !== found.keyId || (mode ?? found.mode) !== found.mode;
    if (isOther) throw idempotencyKeyReused();
    return found;
  }
}

function noUpload(): AppError {
  return new AppError(
    "upload_not_found",
    "There is no upload with this id. Uploads are kept for a while only; send the image again.",
  );
}
