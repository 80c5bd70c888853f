import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { findIdempotentUse, hasLostAnswer } from "@atelier/generations/accept";
import { AppError, type Operation } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../../dependencies.ts";
import type { InlineImage } from "../../http/body/cut-images.ts";
import { incomplete } from "../../http/body/receive-body.ts";
import type { Receiving } from "../../http/body/receive-form.ts";
import { contextOf, disconnectSignal } from "../../http/context.ts";
import { readBareIdempotencyKey } from "../../http/idempotency-key.ts";
import { chargeRefusedUpload } from "../../http/limits/rate-limit.ts";
import type { Shares } from "../../http/limits/shares.ts";
import type { RequestImages } from "../plan/operations.ts";
import { assertAffordable } from "../accept/assert-affordable.ts";
import { removeUpload, reserveUploadQuota, storeUpload } from "./store-upload.ts";

/** The dependencies of requests that upload images. */
export type ReceivingDependencies = Needs<
  | "accountGate"
  | "admissions"
  | "catalogue"
  | "config"
  | "database"
  | "failpoint"
  | "logger"
  | "parts"
  | "storage"
> & { readonly imageMemory: Shares };

/** Memory for images within requests, in bytes: of the process, and of one account. */
export const imageMemory = { total: 40_000_000, perAccount: 25_000_000 };

/** The receiving of a body with images. */
export interface ImageReceiving extends Receiving {
  /** Creates the id of the next image. */
  readonly newId: () => string;
}

/** Smaller bodies are received without checks that need the database. */
const smallBytes = 65_536;
/** Time that a request waits for memory, in milliseconds; a client has 30 s to send it. */
const waitForMemoryMs = 20_000;

/**
 * Handles a request with images, and removes what is left of them afterwards. A refused one is charged by
 * its size.
 *
 * @param receive receives the body; it calls `prepare` before it reads much.
 * @returns what `work` returns.
 */
export async function withRequestImages<
  Received extends { readonly images: readonly InlineImage[] },
  Result,
>(
  request: Request,
  response: Response,
  {
    operation,
    receive,
    work,
  }: {
    readonly operation: Operation;
    readonly receive: (receiving: ImageReceiving) => Promise<Received>;
    readonly work: (received: Omit<Received, "images">, images: RequestImages) => Promise<Result>;
  },
  dependencies: ReceivingDependencies,
): Promise<Result> {
  const { caller } = contextOf(response);
  /** Uploads that may exist. */
  const reserved = new Set<string>();
  let nextId = newId();
  let release = () => {};
  let pending: readonly InlineImage[] = [];
  let isStoring = false;

  const receiving: ImageReceiving = {
    receivedBytes: 0,
    newId() {
      const id = nextId;
      nextId = newId();
      return id;
    },
    async prepare(bytes, isDeclared) {
      dependencies.parts.requireStorage();
      if (bytes <= smallBytes) return;
      if (!(await isRepeated(request, caller, dependencies))) {
        await assertAffordable(caller, operation, dependencies).catch(async (error: unknown) => {
          const { database } = dependencies;
          if (!(await hasLostAnswer(database.repeatable, caller.keyId))) throw error;
        });
        if (isDeclared) {
          // The first image takes it over.
          reserved.add(nextId);
          await reserveUploadQuota({ id: nextId, caller, sizeBytes: bytes }, dependencies);
        }
      }
      release = await waitForMemory(request, response, bytes, dependencies);
    },
  };

  /** A function of its own, so that only `pending` refers to the images while the request waits for its job. */
  async function receiveImages() {
    const { images, ...received } = await receive(receiving);
    pending = images;
    const hashes = new Map<unknown, string>(images.map(({ id, sha256 }) => [id, sha256]));
    return { received, hashes };
  }

  const discard = () => {
    // A failed storage may still read them.
    if (!isStoring) for (const { bytes } of pending) freeBytes(bytes);
    pending = [];
    release();
  };

  async function store(ids: ReadonlySet<string>): Promise<void> {
    isStoring = true;
    const used = pending.filter(({ id }) => ids.has(id));
    // The quota of the body is reserved for its first image, which may be unused.
    if (!used.some(({ id }) => reserved.has(id))) await removeAll(reserved, caller, dependencies);
    for (const { id, path, bytes, sha256 } of used) {
      reserved.add(id);
      await reserveUploadQuota({ id, caller, sizeBytes: bytes.byteLength }, dependencies);
      const upload = await storeUpload({ id, caller, bytes, sha256, path }, dependencies);
      if (upload === null) throw new Error("an upload was removed while it was stored");
    }
    isStoring = false;
    discard();
  }

  try {
    const { received, hashes } = await receiveImages();
    return await work(received, {
      has: (id) => hashes.has(id),
      bind: (body) => (hashes.size === 0 ? body : withHashes(body, hashes)),
      store,
      discard,
    });
  } catch (error) {
    const { bodyBytes: textBytes = 0 } = contextOf(response);
    const imageBytes = receiving.receivedBytes - textBytes;
    await chargeRefusedUpload(error, imageBytes, response, dependencies);
    throw error;
  } finally {
    discard();
    await removeAll(reserved, caller, dependencies);
  }
}

/** Larger buffers are never parts of the pool of small ones. */
const minFreedBytes = 1_000_000;

/**
 * Frees the memory of an image that is not read any more. The collector would do so later, when several
 * images of others have taken theirs.
 */
function freeBytes({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= minFreedBytes) buffer.transfer(0);
}

function withHashes(body: object, hashes: ReadonlyMap<unknown, string>): object {
  const text = JSON.stringify(body, (_name, value: unknown) => hashes.get(value) ?? value);
  return JSON.parse(text) as object;
}

/**
 * Whether a request may be a repetition, whose job is paid already: its idempotency key was used, or an
 * OpenAI client says so.
 */
async function isRepeated(
  request: Request,
  caller: Caller,
  { database }: Needs<"database">,
): Promise<boolean> {
  if (Number(request.get("X-Stainless-Retry-Count") ?? 0) > 0) return true;
  const key = readBareIdempotencyKey(request, caller);
  if (key === null) return false;
  const { accountId } = caller;
  const use = { accountId, key, requestHash: Buffer.alloc(0) };
  return (await findIdempotentUse(database, use)) !== null;
}

/**
 * @throws AppError `overloaded` when there is no memory for the images in time; `invalid_request` when the
 *   client disconnects first.
 */
async function waitForMemory(
  request: Request,
  response: Response,
  bytes: number,
  { imageMemory: memory }: ReceivingDependencies,
): Promise<() => void> {
  const { accountId } = contextOf(response).caller;
  const late = AbortSignal.timeout(waitForMemoryMs);
  const signal = AbortSignal.any([disconnectSignal(request, response), late]);
  try {
    return await memory.wait(accountId, bytes, signal);
  } catch (cause) {
    if (!late.aborted) throw incomplete(cause);
    throw new AppError(
      "overloaded",
      "Too many large requests are being received at once. Send this one again after Retry-After.",
      { retryAfterMs: 1_000 },
    );
  }
}

/** Deletes uploads; those that an unfinished job uses are left to the sweep. */
async function removeAll(
  ids: ReadonlySet<string>,
  { accountId }: Caller,
  dependencies: Needs<"database" | "logger" | "storage">,
): Promise<void> {
  for (const id of ids) {
    await removeUpload({ accountId, id }, dependencies).catch((failure: unknown) => {
      dependencies.logger.warn(
        { err: failure, uploadId: id },
        "upload of a request remains, left to the sweep",
      );
    });
  }
}
