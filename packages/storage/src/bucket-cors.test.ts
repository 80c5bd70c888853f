import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createS3Storage } from "./s3-storage.ts";

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const absent =
  "<Error><Code>NoSuchCORSConfiguration</Code><Message>The CORS configuration does not exist</Message></Error>";
const notImplemented = "<Error><Code>NotImplemented</Code><Message>No.</Message></Error>";

interface Bucket {
  /** The rules of the operator. */
  readonly rules?: string;
  readonly refuses?: "reads" | "writes";
  readonly forgets?: boolean;
}

/** A store that keeps, rejects or drops the CORS rules of its bucket. */
async function bucketWith({ rules, refuses, forgets = false }: Bucket) {
  let kept = rules;
  const written: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === "HEAD") return response.end();
      expect(request.url).toBe("/bucket?cors");
      if (request.method === "GET") {
        if (refuses === "reads") return response.writeHead(501).end(notImplemented);
        return kept === undefined ? response.writeHead(404).end(absent) : response.end(kept);
      }
      if (refuses === "writes") return response.writeHead(403).end(notImplemented);
      if (!forgets) kept = body;
      written.push(body);
      return response.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const storage = await createS3Storage({
    url: `s3://key:secret@127.0.0.1:${port}/bucket?tls=false`,
  });
  cleanups.push(async () => {
    await storage.close();
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return { storage, written };
}

const ruleFor = (origin: string) =>
  `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin>` +
  "<AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>";

test("sets a rule for every origin on a bucket without rules, once", async () => {
  const { storage, written } = await bucketWith({});
  expect(await storage.allowAnyOrigin()).toBe(true);
  expect(await storage.allowAnyOrigin()).toBe(true);
  expect(written).toHaveLength(1);
  expect(written[0]).toContain(
    "<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>",
  );
});

test.each([
  ["allow every origin", "*", true],
  ["allow other origins only", "https://shop.example", false],
])("does not change rules of the operator that %s", async (_, origin, isReadable) => {
  const { storage, written } = await bucketWith({ rules: ruleFor(origin) });
  expect(await storage.allowAnyOrigin()).toBe(isReadable);
  expect(written).toEqual([]);
});

test.each<[string, Bucket]>([
  ["forgets the rule", { forgets: true }],
  ["does not allow to write rules", { refuses: "writes" }],
  ["does not support rules", { refuses: "reads" }],
  ["answers with another document", { rules: "<ListBucketResult/>" }],
])("returns false if the store %s", async (_, bucket) => {
  const { storage } = await bucketWith(bucket);
  expect(await storage.allowAnyOrigin()).toBe(false);
});
