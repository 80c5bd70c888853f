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
 * Storage over a server that has the bucket, unless told otherwise, and gives these answers to other requests, one each;
 * what real stores do only in trouble. `requests` counts them.
 */
async function storageOver(
  {
    hasBucket = () => true,
    ...options
  }: { timeoutMs?: number; mustExist?: boolean; hasBucket?: () => boolean },
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP port");
  cleanups.push(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const storage = await createS3Storage({
    url: `s3://key:secret@127.0.0.1:${address.port}/bucket?tls=false`,
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

describe("an S3 server in trouble", () => {
  test("that is busy or drops a connection is asked again", async () => {
    const { storage, requests } = await storageOver(
      {},
      status(503),
      (request) => request.socket.destroy(),
      status(200),
    );
    await storage.put("a.png", Buffer.from("bytes"), png);
    expect(requests).toEqual(["PUT /bucket/a.png", "PUT /bucket/a.png", "PUT /bucket/a.png"]);
  });

  test("is not asked for ever", async () => {
    const { storage, requests } = await storageOver({}, status(503), status(503), status(503));
    await expect(storage.get("a.png")).rejects.toThrow("503");
    expect(requests).toHaveLength(3);
  });

  test("is believed when it refuses", async () => {
    const { storage, requests } = await storageOver(
      {},
      status(403, "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>"),
    );
    await expect(storage.get("a.png")).rejects.toMatchObject({ code: "AccessDenied" });
    expect(requests).toHaveLength(1);
  });

  test("that lacks the bucket is not taken for one that lacks the object", async () => {
    const { storage } = await storageOver(
      {},
      status(404, "<Error><Code>NoSuchBucket</Code><Message>No.</Message></Error>"),
    );
    await expect(storage.get("a.png")).rejects.toMatchObject({ code: "NoSuchBucket" });
  });

  test("that has lost the bucket is not ready, and gets no other one", async () => {
    let isThere = true;
    const { storage, requests } = await storageOver({ hasBucket: () => isThere });
    await storage.check();
    isThere = false;
    await expect(storage.check()).rejects.toThrow("there is no bucket bucket");
    expect(requests).toEqual([]);
  });

  test("that lacks the bucket gets none where it must exist", async () => {
    const absent = storageOver({ hasBucket: () => false, mustExist: true }, status(200));
    await expect(absent).rejects.toThrow("there is no bucket bucket");
  });

  test("that never answers is given up", async () => {
    const { storage, requests } = await storageOver({ timeoutMs: 100 }, () => {});
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
    expect(requests).toHaveLength(1);
  });

  test("that stops in the middle of an object is given up", async () => {
    const { storage, requests } = await storageOver({ timeoutMs: 100 }, (_request, response) => {
      response.writeHead(200, { "content-length": 1_000 }).write("a part");
    });
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
    expect(requests).toHaveLength(1);
  });

  test("that ends in the middle of an object does not give a part of it", async () => {
    const { storage } = await storageOver({}, torn, torn, torn);
    await expect(storage.get("a.png")).rejects.toThrow("aborted");
  });

  test("that deletes only some objects is found out", async () => {
    const { storage } = await storageOver(
      {},
      status(
        200,
        "<DeleteResult><Error><Key>a.png</Key><Code>AccessDenied</Code></Error></DeleteResult>",
      ),
      status(
        200,
        "<DeleteResult><Error><Key>a.png</Key><Code>NoSuchKey</Code></Error></DeleteResult>",
      ),
    );
    await expect(storage.delete(["a.png"])).rejects.toThrow("did not delete every object");
    await expect(storage.delete(["a.png"])).resolves.toBeUndefined();
  });

  test("is not asked to delete more than it can in the time of a request", async () => {
    const done = status(200, "<DeleteResult/>");
    const { storage, requests } = await storageOver({}, done, done, done);
    await storage.delete(Array.from({ length: 201 }, (_, index) => `${index}.png`));
    expect(requests).toHaveLength(3);
  });

  test("is not needed to sign and to resolve", async () => {
    const { storage, requests } = await storageOver({});
    const { url } = await storage.sign("a.png", { expiresInSeconds: 60, downloadName: "a.png" });
    expect(await storage.resolveSignedUrl(url)).toBe("a.png");
    expect(requests).toEqual([]);
  });
});
