import { timingSafeEqual } from "node:crypto";
import { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { Client, S3Error } from "minio";

import { setExpiry } from "./bucket-expiry.ts";
import { contentDisposition } from "./content-disposition.ts";
import { assertContentType, assertKey, assertPrefix, contentTypeOf, isKey } from "./keys.ts";
import { changedReference, expiredReference } from "./reference-errors.ts";
import { createS3Transport } from "./s3-transport.ts";
import { parseS3Url } from "./s3-url.ts";
import { assertSignOptions, isLife } from "./sign-options.ts";
import type { ListedObject, Storage } from "./storage.ts";

/** S3 takes a thousand, but a store that deletes one after another needs its time for them. */
const keysPerDeletion = 100;

export interface S3StorageOptions {
  /** `s3://ACCESS:SECRET@host:port/bucket?…`, see `parseS3Url`. */
  readonly url: string;
  /** How long one request to the store may take, body included. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether a bucket that is missing is an error instead of made. */
  readonly mustExist?: boolean | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Keeps objects in a bucket of S3 or of a store that speaks its protocol. The bucket is made when it
 * is missing and the keys allow it. Signed URLs are presigned ones (AWS Signature Version 4) that
 * the store serves itself.
 */
export async function createS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { accessKey, secretKey, endpoint, publicEndpoint, bucket, region } = parseS3Url(
    options.url,
  );
  const now = options.now ?? Date.now;
  const timeoutMs = options.timeoutMs ?? 30_000;
  const { transport, agent } = createS3Transport({ tls: endpoint.tls, timeoutMs });
  // The client asks the store for the region, before signing too, unless it is told.
  const account = { accessKey, secretKey, region };
  const client = new Client({
    ...account,
    endPoint: endpoint.host,
    port: endpoint.port ?? 0,
    useSSL: endpoint.tls,
    transport,
    transportAgent: agent,
    // Its own retry prints to the console; see `insist`.
    retryOptions: { disableRetry: true },
  });
  // A signature covers the host, so URLs for clients are signed for the host that clients see.
  const presigner = new Client({
    ...account,
    endPoint: publicEndpoint.host,
    port: publicEndpoint.port ?? 0,
    useSSL: publicEndpoint.tls,
  });
  const publicBase = addressOf(await presigner.presignedGetObject(bucket, "k")).slice(0, -1);

  async function presign(
    key: string,
    expiresInSeconds: number,
    responseHeaders: Record<string, string>,
    signedAt: Date,
  ): Promise<string> {
    return presigner.presignedGetObject(bucket, key, expiresInSeconds, responseHeaders, signedAt);
  }

  async function requireBucket(): Promise<void> {
    if (!(await client.bucketExists(bucket))) throw new Error(`there is no bucket ${bucket}`);
  }

  async function ensureBucket(): Promise<void> {
    if (options.mustExist === true) return requireBucket();
    if (await client.bucketExists(bucket)) return;
    try {
      await client.makeBucket(bucket, region);
    } catch (error) {
      // Another process may have made it at the same time.
      if (!(await client.bucketExists(bucket))) throw error;
    }
  }

  /**
   * Tries up to three times, as every request here may be repeated. A store that has answered with
   * an error of its own is believed at once, and there is no further try once the time of one
   * request has passed.
   */
  async function insist<T>(request: () => Promise<T>): Promise<T> {
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

  await insist(ensureBucket);

  return {
    async put(key, bytes, { contentType }) {
      assertKey(key);
      assertContentType(key, contentType);
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await insist(() =>
        client.putObject(bucket, key, body, body.length, { "Content-Type": contentType }),
      );
    },

    async get(key) {
      assertKey(key);
      return insist(async () => {
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

    async delete(keys) {
      for (const key of keys) assertKey(key);
      for (let start = 0; start < keys.length; start += keysPerDeletion) {
        const batch = keys.slice(start, start + keysPerDeletion);
        const failures = await insist(() => client.removeObjects(bucket, batch));
        const failure = failures.find((one) => !isAbsence(one));
        if (failure) throw new Error("the store did not delete every object", { cause: failure });
      }
    },

    list(prefix) {
      assertPrefix(prefix);
      return listObjects(client, bucket, prefix);
    },

    async sign(key, signOptions) {
      assertKey(key);
      assertSignOptions(signOptions);
      const { expiresInSeconds, downloadName } = signOptions;
      const signedAtSeconds = Math.floor(now() / 1000);
      const url = await presign(
        key,
        expiresInSeconds,
        {
          "response-content-type": contentTypeOf(key),
          "response-content-disposition": contentDisposition(downloadName),
        },
        new Date(signedAtSeconds * 1000),
      );
      return { url, expiresAt: new Date((signedAtSeconds + expiresInSeconds) * 1000) };
    },

    async resolveSignedUrl(url) {
      if (!URL.canParse(url) || !addressOf(url).startsWith(publicBase)) return null;
      const key = addressOf(url).slice(publicBase.length);
      const given = new URL(url).searchParams;
      const signedAt = parseAmzDate(given.get("X-Amz-Date"));
      const expiresInSeconds = Number(given.get("X-Amz-Expires"));
      if (!isKey(key) || signedAt === null || !isLife(expiresInSeconds)) throw changedReference();

      // Signing the same again tells whether anything in it was changed.
      const responseHeaders = [...given].filter(([name]) => name.startsWith("response-"));
      const expected = await presign(
        key,
        expiresInSeconds,
        Object.fromEntries(responseHeaders),
        signedAt,
      );
      if (!equalParameters(given, new URL(expected).searchParams)) throw changedReference();
      if (now() >= signedAt.getTime() + expiresInSeconds * 1000) throw expiredReference();
      return key;
    },

    serve: null,

    async expireAfterDays(prefixes, days) {
      for (const prefix of prefixes) assertPrefix(prefix);
      return setExpiry(client, bucket, prefixes, days);
    },

    // Made at the start only: a bucket that is gone is a loss, which an empty one would hide.
    check: requireBucket,

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

/** Some stores report a key that was absent. The client's types put the code one level too deep. */
function isAbsence(failure: unknown): boolean {
  return failure instanceof Object && "Code" in failure && failure.Code === "NoSuchKey";
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

function equalParameters(given: URLSearchParams, expected: URLSearchParams): boolean {
  const [left, right] = [given, expected].map((parameters) => {
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
