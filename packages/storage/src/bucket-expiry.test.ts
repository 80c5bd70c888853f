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

const none =
  "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>There is none.</Message></Error>";

const malformed =
  "<Error><Code>MalformedXML</Code><Message>There are no versions.</Message></Error>";

const noncurrent =
  "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>";

/** A store that keeps the lifecycle of its bucket, as S3 does, or refuses to. */
async function bucketWith(options: {
  lifecycle: string | null;
  refuses?: boolean;
  forgets?: boolean;
  /** What it makes of rules about versions. */
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
        return lifecycle === null ? response.writeHead(404).end(none) : response.end(lifecycle);
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

/** The lifecycle with our rules, for two days. */
function lifecycleWith(more: string): string {
  const rule = (name: string) =>
    `<Rule><ID>atelier-expire-${name}</ID><Status>Enabled</Status>` +
    `<Filter><Prefix>${name}/</Prefix></Filter><Expiration><Days>2</Days></Expiration>${more}</Rule>`;
  return `<LifecycleConfiguration>${rule("renders")}${rule("staged")}</LifecycleConfiguration>`;
}

test("a bucket without rules gets one for each prefix, old versions included", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
  expect(written).toEqual([lifecycleWith(noncurrent)]);
});

test("rules of ours without old versions get them", async () => {
  const { storage, written } = await bucketWith({ lifecycle: lifecycleWith("") });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
  expect(written).toEqual([lifecycleWith(noncurrent)]);
});

test.each(["refused", "forgotten"] as const)(
  "a store by which rules about versions are %s gets them without",
  async (versions) => {
    const { storage, written } = await bucketWith({ lifecycle: null, versions });
    expect(await storage.expireAfterDays(prefixes, 2)).toBe(true);
    expect(written.at(-1)).toBe(lifecycleWith(""));
  },
);

test("rules are written once, and again when the days change", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  for (const days of [2, 2, 3]) expect(await storage.expireAfterDays(prefixes, days)).toBe(true);
  expect(written).toHaveLength(2);
  expect(written[1]).toContain("<Days>3</Days>");
});

test("rules of the operator's own are left as they are", async () => {
  const lifecycle =
    "<LifecycleConfiguration><Rule><ID>mine</ID><Status>Enabled</Status>" +
    "<Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>7</Days></Expiration></Rule>" +
    "</LifecycleConfiguration>";
  const { storage, written } = await bucketWith({ lifecycle });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
  expect(written).toEqual([]);
});

test("rules that would remove what is still kept, and cannot be changed, are an error", async () => {
  const { storage, written } = await bucketWith({ lifecycle: null });
  await storage.expireAfterDays(prefixes, 2);
  const mine =
    "<Rule><ID>mine</ID><Status>Enabled</Status>" +
    "<Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>7</Days></Expiration></Rule>";
  const lifecycle = String(written[0]).replace("</Lifecycle", `${mine}</Lifecycle`);
  const { storage: shared } = await bucketWith({ lifecycle });
  expect(await shared.expireAfterDays(prefixes, 2)).toBe(true);
  await expect(shared.expireAfterDays(prefixes, 31)).rejects.toThrow("set them to 31 days");
  expect(await shared.expireAfterDays(prefixes, 1)).toBe(false);
});

test("a store that takes everything and keeps nothing is found out", async () => {
  const { storage } = await bucketWith({ lifecycle: null, forgets: true });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
});

test("a store that answers another question is found out", async () => {
  const { storage, written } = await bucketWith({ lifecycle: "<ListBucketResult/>" });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
  expect(written).toEqual([]);
});

test("a store without lifecycles says so", async () => {
  const { storage } = await bucketWith({ lifecycle: null, refuses: true });
  expect(await storage.expireAfterDays(prefixes, 2)).toBe(false);
});
