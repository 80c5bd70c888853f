import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { afterEach, describe, expect, test } from "vitest";

import { createS3Storage } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/**
 * Creates a storage with a server that has the bucket by default and gives the scripted responses to
 * other requests, to simulate failures of real stores.
 */
async function storageOver(
  {
    hasBucket = () => true,
    address = "127.0.0.1",
    publicOrigin,
    ...options
  }: {
    timeoutMs?: number;
    mustExist?: boolean;
    hasBucket?: () => boolean;
    address?: "127.0.0.1" | "::1";
    publicOrigin?: string;
  },
  ...answers: Answer[]
): Promise<{ storage: Storage; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "HEAD") {
      response.writeHead(hasBucket() ? 200 : 404).end();
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    const answer = answers[requests.length - 1] ?? status(418);
    answer(request, response);
  });
  await once(server.listen(0, address), "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("not a TCP port");
  const host = address === "::1" ? "[::1]" : address;
  cleanups.push(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const storage = await createS3Storage({
    url: `s3://key:secret@${host}:${bound.port}/bucket?tls=false${publicOrigin === undefined ? "" : `&public=${publicOrigin}`}`,
    ...options,
  });
  cleanups.push(() => storage.close());
  return { storage, requests };
}

function status(code: number, body = ""): Answer {
  return (_request, response) => response.writeHead(code).end(body);
}

const torn: Answer = (_request, response) => {
  response.writeHead(200, { "content-length": 1_000 }).write("a part", () => {
    response.destroy();
  });
};

const png = { contentType: "image/png" };

describe("with a failing S3 server", () => {
  test("retries after 503 and a dropped connection", async () => {
    const { storage, requests } = await storageOver(
      {},
      status(503),
      (request) => request.socket.destroy(),
      status(200),
    );
    await storage.put("a.png", Buffer.from("bytes"), png);
    expect(requests).toEqual(["PUT /bucket/a.png", "PUT /bucket/a.png", "PUT /bucket/a.png"]);
  });

  test("fails after three attempts", async () => {
    const { storage, requests } = await storageOver({}, status(503), status(503), status(503));
    await expect(storage.get("a.png")).rejects.toThrow("503");
    expect(requests).toHaveLength(3);
  });

  test("does not retry a refusal", async () => {
    const { storage, requests } = await storageOver(
      {},
      status(403, "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>"),
    );
    await expect(storage.get("a.png")).rejects.toMatchObject({ code: "AccessDenied" });
    expect(requests).toHaveLength(1);
  });

  test("distinguishes a missing bucket from a missing object", async () => {
    const { storage } = await storageOver(
      {},
      status(404, "<Error><Code>NoSuchBucket</Code><Message>No.</Message></Error>"),
    );
    await expect(storage.get("a.png")).rejects.toMatchObject({ code: "NoSuchBucket" });
  });

  test("is not ready if the bucket was deleted, and does not create it again", async () => {
    let exists = true;
    const { storage, requests } = await storageOver({ hasBucket: () => exists });
    await storage.check();
    exists = false;
    await expect(storage.check()).rejects.toThrow("the bucket bucket does not exist");
    expect(requests).toEqual([]);
  });

  test("does not create a bucket that must exist", async () => {
    const absent = storageOver({ hasBucket: () => false, mustExist: true }, status(200));
    await expect(absent).rejects.toThrow("the bucket bucket does not exist");
  });

  test("times out without a response", async () => {
    const { storage, requests } = await storageOver({ timeoutMs: 100 }, () => {});
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
    expect(requests).toHaveLength(1);
  });

  test("times out if the response stalls", async () => {
    const { storage, requests } = await storageOver({ timeoutMs: 100 }, (_request, response) => {
      response.writeHead(200, { "content-length": 1_000 }).write("a part");
    });
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
    expect(requests).toHaveLength(1);
  });

  test("rejects a truncated object", async () => {
    const { storage } = await storageOver({}, torn, torn, torn);
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
  });

  test("reports objects that were not deleted, but not missing ones", async () => {
    const { storage } = await storageOver(
      {},
      status(
        200,
        "<DeleteResult><Error><Key>a.png</Key><Code>AccessDenied</Code><Message>locked</Message></Error></DeleteResult>",
      ),
      status(
        200,
        "<DeleteResult><Error><Key>a.png</Key><Code>NoSuchKey</Code></Error></DeleteResult>",
      ),
    );
    const failed = [{ key: "a.png", reason: "AccessDenied: locked" }];
    expect(await storage.delete(["a.png", "b.png"])).toEqual(failed);
    expect(await storage.delete(["a.png"])).toEqual([]);
  });

  test("deletes at most 100 objects per request", async () => {
    const done = status(200, "<DeleteResult/>");
    const { storage, requests } = await storageOver({}, done, done, done);
    await storage.delete(Array.from({ length: 201 }, (_, index) => `${index}.png`));
    expect(requests).toHaveLength(3);
  });

  test("supports IPv6 addresses", async () => {
    const { storage, requests } = await storageOver({ address: "::1" }, status(200));
    await storage.put("a.png", Buffer.from("bytes"), png);
    expect(requests).toEqual(["PUT /bucket/a.png"]);
    const { url } = await storage.sign("a.png", { expiresInSeconds: 60, downloadName: "a.png" });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/bucket\/a\.png\?/);
    expect(await storage.resolveSignedUrl(url)).toBe("a.png");
  });

  test("signs and resolves URLs without a request", async () => {
    const { storage, requests } = await storageOver({});
    const { url } = await storage.sign("a.png", { expiresInSeconds: 60, downloadName: "a.png" });
    expect(await storage.resolveSignedUrl(url)).toBe("a.png");
    expect(requests).toEqual([]);
  });
});

test("signs URLs for a public IPv6 address on the default port", async () => {
  const { storage } = await storageOver({ publicOrigin: "https://[2001:db8::2]" });
  const { url } = await storage.sign("a.png", { expiresInSeconds: 60, downloadName: "a.png" });
  expect(url).toMatch(/^https:\/\/\[2001:db8::2\]\/bucket\/a\.png\?/);
  expect(await storage.resolveSignedUrl(url)).toBe("a.png");
});
