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

const prefixes = ["renders/", "staged/"];

const noLifecycle =
  "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>There is none.</Message></Error>";

const malformed =
  "<Error><Code>MalformedXML</Code><Message>There are no versions.</Message></Error>";

const noncurrent =
  "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>";

/** A store that keeps, rejects or drops the lifecycle rules of its bucket. */
async function bucketWith(options: {
  lifecycle: string | null;
  refuses?: boolean;
  forgets?: boolean;
  /** Support for rules about versions. */
  versions?: "refused" | "forgotten";
}) {
  let { lifecycle } = options;
  const written: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === "HEAD") return response.end();
      if (options.refuses === true) {
        const error = "<Error><Code>NotImplemented</Code><Message>No.</Message></Error>";
        return response.writeHead(501).end(error);
      }
      expect(request.url).toBe("/bucket?lifecycle");
      if (request.method === "GET") {
        return lifecycle === null
          ? response.writeHead(404).end(noLifecycle)
          : response.end(lifecycle);
      }
      if (options.versions === "refused" && body.includes("Noncurrent")) {
        return response.writeHead(400).end(malformed);
      }
      const kept = options.versions === "forgotten" ? body.replaceAll(noncurrent, "") : body;
      if (options.forgets !== true) lifecycle = kept;
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

/** A lifecycle with Atelier's rules, for two days. */
function lifecycleWith(more: string): string {
  const rule = (name: string) =>
    `<Rule><ID>atelier-expire-${name}</ID><Status>Enabled</Status>` +
    `<Filter><Prefix>${name}/</Prefix></Filter><Expiration><Days>2</Days></Expiration>${more}</Rule>`;
  return `<LifecycleConfiguration>${rule("renders")}${rule("staged")}</LifecycleConfiguration>`;
}

test("sets one rule per prefix, including noncurrent versions, on a bucket without rules", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
  expect(written).toEqual([lifecycleWith(noncurrent)]);
});

test("adds noncurrent versions to existing rules", async () => {
  const { storage, written } = await bucketWith({ lifecycle: lifecycleWith("") });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
  expect(written).toEqual([lifecycleWith(noncurrent)]);
});

test.each(["refused", "forgotten"] as const)(
  "omits noncurrent versions if the store has %s them",
  async (versions) => {
    const { storage, written } = await bucketWith({ lifecycle: null, versions });
    expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
    expect(written.at(-1)).toBe(lifecycleWith(""));
  },
);

test("writes rules once, and again when the days change", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  for (const days of [2, 2, 3]) expect(await storage.expireAfterDays(prefixes, days)).toBe(true);
  expect(written).toHaveLength(2);
  expect(written[1]).toContain("<Days>3</Days>");
});

test("does not change the operator's rules", async () => {
  const lifecycle =
    "<LifecycleConfiguration><Rule><ID>mine</ID><Status>Enabled</Status>" +
    "<Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>7</Days></Expiration></Rule>" +
    "</LifecycleConfiguration>";
  const { storage, written } = await bucketWith({ lifecycle });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
  expect(written).toEqual([]);
});

test("fails if existing rules would delete live images and cannot be changed", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  await storage.expireAfterDays(prefixes, 2);
  const ownRules =
    "<Rule><ID>mine</ID><Status>Enabled</Status>" +
    "<Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>7</Days></Expiration></Rule>";
  const lifecycle = String(written[0]).replace("</Lifecycle", `${ownRules}</Lifecycle`);
  const { storage: shared } = await bucketWith({ lifecycle });
  expect(await shared.expireAfterDays(prefixes, 2)).toBe(true);
  await expect(shared.expireAfterDays(prefixes, 31)).rejects.toThrow("set them to 31 days");
  expect(await shared.expireAfterDays(prefixes, 1)).toBe(false);
});

test("returns false if the store forgets the rules", async () => {
  const { storage } = await bucketWith({ lifecycle: null, forgets: true });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
});

test("returns false if the store returns another document", async () => {
  const { storage, written } = await bucketWith({ lifecycle: "<ListBucketResult/>" });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
  expect(written).toEqual([]);
});

test("returns false if the store does not support lifecycle rules", async () => {
  const { storage } = await bucketWith({ lifecycle: null, refuses: true });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
});
