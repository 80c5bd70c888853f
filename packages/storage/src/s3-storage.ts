import { timingSafeEqual } from "node:crypto";
import { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { S3Error, type Client } from "minio";

import { allowAnyOrigin } from "./bucket-cors.ts";
import { setExpiry } from "./bucket-expiry.ts";
import { contentDisposition } from "./content-disposition.ts";
import { assertContentType, assertKey, assertPrefix, contentTypeOf, isKey } from "./keys.ts";
import { createPresigner } from "./presign.ts";
import { changedReference, expiredReference } from "./reference-errors.ts";
import { S3Client } from "./s3-client.ts";
import { createS3Transport } from "./s3-transport.ts";
import { parseS3Url } from "./s3-url.ts";
import { assertSignOptions, isValidLifetime, maxLifetimeSeconds } from "./sign-options.ts";
import type { FailedDeletion, ListedObject, Storage } from "./storage.ts";

/** S3 allows 1,000, but stores that delete sequentially need less to stay within the timeout. */
const keysPerDeletion = 100;

interface S3StorageOptions {
  /** `s3://ACCESS:SECRET@host:port/bucket?…`, see `parseS3Url`. */
  readonly url: string;
  /** Timeout of one request including its body. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether a missing bucket is an error. Default: it is created. */
  readonly mustExist?: boolean | undefined;
  /** Whether the first `check` looks for the bucket, and creates it, instead of this call. */
  readonly isLazy?: boolean | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Stores objects in a bucket of S3 or a compatible store. A missing bucket is created if the access key
 * allows it. Signed URLs are presigned (AWS Signature Version 4) and served by the store.
 */
export async function createS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { accessKey, secretKey, endpoint, publicEndpoint, bucket, region } = parseS3Url(
    options.url,
  );
  const now = options.now ?? Date.now;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const { transport, agent } = createS3Transport({ tls: endpoint.tls, timeoutMs });
  // Without a region the client would ask the store for it, even before signing.
  const account = { accessKey, secretKey, region };
  const client = new S3Client({
    ...account,
    endPoint: endpoint.host,
    port: endpoint.port ?? 0,
    useSSL: endpoint.tls,
    transport,
    transportAgent: agent,
    // The client's retry prints to the console; see `retry`.
    retryOptions: { disableRetry: true },
  });
  // A signature covers the host, so URLs for clients are signed for the public host. The library
  // decides whether the bucket is part of the host or of the path.
  const publicClient = new S3Client({
    ...account,
    endPoint: publicEndpoint.host,
    port: publicEndpoint.port ?? 0,
    useSSL: publicEndpoint.tls,
  });
  const bucketUrl = addressOf(await publicClient.presignedGetObject(bucket, "k")).slice(0, -1);
  const presign = createPresigner({ ...account, bucketUrl });

  async function requireBucket(): Promise<void> {
    if (!(await client.bucketExists(bucket)))
      throw new Error(`the bucket ${bucket} does not exist`);
  }

  async function ensureBucket(): Promise<void> {
    if (options.mustExist === true) return requireBucket();
    if (await client.bucketExists(bucket)) return;
    try {
      await client.makeBucket(bucket, region);
    } catch (error) {
      // Another process may have created it concurrently.
      if (!(await client.bucketExists(bucket))) throw error;
    }
  }

  /**
   * Tries a request up to three times; all requests here are idempotent. Errors returned by the store
   * are final, and there is no retry after the timeout of one request.
   */
  async function retry<T>(request: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return await request();
      } catch (error) {
        const timedOut = isNamed(error, "AbortError") || performance.now() - startedAt >= timeoutMs;
        if (error instanceof S3Error || timedOut || tries === 3) throw error;
        await delay(100 * 4 ** (tries - 1) * (1 + Math.random()));
      }
    }
  }

  let isOpen = false;

  async function open(): Promise<void> {
    await retry(ensureBucket);
    isOpen = true;
  }

  if (options.isLazy !== true) await open();

  return {
    async put(key, bytes, { contentType }) {
      assertKey(key);
      assertContentType(key, contentType);
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await retry(() =>
        client.putObject(bucket, key, body, body.length, { "Content-Type": contentType }),
      );
    },

    async get(key) {
      assertKey(key);
      return retry(async () => {
        try {
          const response = await client.getObject(bucket, key);
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          return { bytes: Buffer.concat(chunks), contentType: contentTypeIn(response, key) };
        } catch (error) {
          if (hasCode(error, "NoSuchKey")) return null;
          throw error;
        }
      });
    },

    async copy(from, to) {
      assertKey(from);
      assertKey(to);
      assertContentType(to, contentTypeOf(from));
      return retry(async () => {
        try {
          await client.copyObject(bucket, to, `/${bucket}/${from}`);
          return true;
        } catch (error) {
          if (hasCode(error, "NoSuchKey")) return false;
          throw error;
        }
      });
    },

    async delete(keys) {
      for (const key of keys) assertKey(key);
      const failed: FailedDeletion[] = [];
      for (let start = 0; start < keys.length; start += keysPerDeletion) {
        const batch = keys.slice(start, start + keysPerDeletion);
        const errors = await retry(() => client.removeObjects(bucket, batch));
        failed.push(...errors.flatMap((error) => readFailedDeletion(error, batch)));
      }
      return failed;
    },

    list(prefix) {
      assertPrefix(prefix);
      return listObjects(client, bucket, prefix);
    },

    publicOrigin: new URL(bucketUrl).origin,

    async sign(key, signOptions) {
      assertKey(key);
      assertSignOptions(signOptions);
      const { expiresInSeconds, downloadName } = signOptions;
      const nowSeconds = now() / 1000;
      const signedAtSeconds = Math.floor(nowSeconds);
      // Rounded up, so that no URL lives for less than the requested time, except for the longest.
      const lifeSeconds = Math.min(
        Math.ceil(nowSeconds) + expiresInSeconds - signedAtSeconds,
        maxLifetimeSeconds,
      );
      const url = presign(
        key,
        lifeSeconds,
        {
          "response-content-type": contentTypeOf(key),
          "response-content-disposition": contentDisposition(downloadName),
        },
        new Date(signedAtSeconds * 1000),
      );
      return { url, expiresAt: new Date((signedAtSeconds + lifeSeconds) * 1000) };
    },

    async resolveSignedUrl(url) {
      if (!URL.canParse(url) || !addressOf(url).startsWith(bucketUrl)) return null;
      const key = addressOf(url).slice(bucketUrl.length);
      const parameters = new URL(url).searchParams;
      const signedAt = parseAmzDate(parameters.get("X-Amz-Date"));
      const expiresInSeconds = Number(parameters.get("X-Amz-Expires"));
      if (!isKey(key) || signedAt === null || !isValidLifetime(expiresInSeconds))
        throw changedReference();

      // Signing the same parameters again detects changes.
      const responseHeaders = [...parameters].filter(([name]) => name.startsWith("response-"));
      const expected = presign(
        key,
        expiresInSeconds,
        Object.fromEntries(responseHeaders),
        signedAt,
      );
      if (!equalParameters(parameters, new URL(expected).searchParams)) throw changedReference();
      if (now() >= signedAt.getTime() + expiresInSeconds * 1000) throw expiredReference();
      return key;
    },

    serve: null,

    async expireAfterDays(prefixes, days) {
      for (const prefix of prefixes) assertPrefix(prefix);
      return setExpiry(client, bucket, prefixes, days);
    },

    allowAnyOrigin: () => retry(() => allowAnyOrigin(client, { bucket, region })),

    // A bucket that disappears later is not created again: an empty one would hide the loss of data.
    check: () => (isOpen ? requireBucket() : open()),

    async close() {
      agent.destroy();
    },
  };
}

async function* listObjects(
  client: Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<ListedObject> {
  for await (const item of client.listObjectsV2(bucket, prefix, true)) {
    yield { key: item.name, sizeBytes: item.size, modifiedAt: item.lastModified };
  }
}

function contentTypeIn(response: unknown, key: string): string {
  const header = response instanceof IncomingMessage ? response.headers["content-type"] : undefined;
  return header ?? contentTypeOf(key);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Reads the error response to a deletion of several objects. The client's types nest its fields one
 * level too deep. Some stores report missing keys, which are not failures.
 *
 * @returns all keys of the batch if the store does not name the key.
 */
function readFailedDeletion(error: unknown, batch: readonly string[]): FailedDeletion[] {
  const { Code, Key, Message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (Code === "NoSuchKey") return [];
  const reason = [Code, Message].filter((part) => typeof part === "string").join(": ");
  const keys = typeof Key === "string" ? [Key] : batch;
  return keys.map((key) => ({ key, reason }));
}

/** A URL without its query. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A date as V4 signatures write it: `20261121T093000Z`. */
function parseAmzDate(text: string | null): Date | null {
  const fields = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "");
  if (fields === null) return null;
  const [, year, month, day, hour, minute, second] = fields;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function equalParameters(actual: URLSearchParams, expected: URLSearchParams): boolean {
  const [left, right] = [actual, expected].map((parameters) => {
    const sorted = new URLSearchParams(parameters);
    sorted.sort();
    return Buffer.from(sorted.toString());
  });
  return (
    left !== undefined &&
    right !== undefined &&
    left.length === right.length &&
    timingSafeEqual(left, right)
  );
}
