import { randomBytes, randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { ListedObject, Storage } from "./storage.ts";

interface StorageUnderTest {
  /** Creates another storage over the same objects and the same server. */
  create(options?: { now: () => number }): Promise<Storage>;
  /** Whether the store may report an object as missing while it is being replaced. */
  readonly canMissReplacedObjects: boolean;
  /** Whether the store supports rules for web pages of other origins. */
  readonly supportsAnyOrigin: boolean;
  stop(): Promise<void>;
}

const png = { contentType: "image/png" };
const anHour = { expiresInSeconds: 3600, downloadName: "castle.png" };

const hostileKeys = [
  "",
  "..",
  "../outside.png",
  "/absolute.png",
  "a/../../outside.png",
  "a/./b.png",
  "a//b.png",
  "a/",
  ".hidden.png",
  "a/.hidden.png",
  "a\\b.png",
  "a\0.png",
  "a\n.png",
  "a b.png",
  "a?b.png",
  "a%2e%2e.png",
  "é.png",
];

/** The contract of every storage. `setup` returns one that is ready. */
export function describeStorage(name: string, setup: () => Promise<StorageUnderTest>): void {
  describe(`storage ${name}`, () => {
    const folder = `contract/${randomUUID()}`;
    let subject: StorageUnderTest;
    let storage: Storage;

    beforeAll(async () => {
      subject = await setup();
      storage = await subject.create();
    });

    afterAll(async () => {
      await storage.delete(await keysBelow(`${folder}/`));
      await storage.close();
      await subject.stop();
    });

    async function keysBelow(prefix: string): Promise<string[]> {
      const objects = await collect(storage.list(prefix));
      return objects.map((object) => object.key);
    }

    /** Stores a new object and returns its key. */
    async function stored(bytes: Uint8Array): Promise<string> {
      const key = `${folder}/${randomUUID()}.png`;
      await storage.put(key, bytes, png);
      return key;
    }

    test("is ready", async () => {
      await expect(storage.check()).resolves.toBeUndefined();
    });

    describe("objects", () => {
      test("are returned unchanged with their content type", async () => {
        const key = `${folder}/three-megabytes.webp`;
        const bytes = randomBytes(3_000_000);
        await storage.put(key, bytes, { contentType: "image/webp" });

        const object = await storage.get(key);
        expect(object?.contentType).toBe("image/webp");
        expect(bytes.equals(object?.bytes ?? new Uint8Array())).toBe(true);
      });

      test("may be empty", async () => {
        const key = await stored(new Uint8Array());
        expect((await storage.get(key))?.bytes.byteLength).toBe(0);
      });

      test("contain the bytes of a view, not of its whole buffer", async () => {
        const key = await stored(new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
        expect(Array.from((await storage.get(key))?.bytes ?? [])).toEqual([2, 3]);
      });

      test("are null when absent", async () => {
        const key = await stored(randomBytes(10));
        expect(await storage.get(`${folder}/absent.png`)).toBeNull();
        expect(await storage.get(`${key}/below.png`)).toBeNull();
        expect(await storage.get(folder)).toBeNull();
      });

      test("are replaced completely", async () => {
        const key = await stored(randomBytes(1_000));
        await storage.put(key, Buffer.from("shorter"), png);
        expect(Buffer.from((await storage.get(key))?.bytes ?? []).toString()).toBe("shorter");
      });

      test("are replaced atomically", async () => {
        const versions = [Buffer.alloc(1_000_000, "a"), Buffer.alloc(300_000, "b")];
        const key = await stored(Buffer.alloc(1_000_000, "a"));
        const progress = { writing: true };

        async function write(): Promise<void> {
          for (let round = 0; round < 8; round += 1) {
            for (const version of versions) await storage.put(key, version, png);
          }
          progress.writing = false;
        }
        async function read() {
          const seen = { whole: 0, torn: 0, absent: 0 };
          while (progress.writing) {
            const bytes = (await storage.get(key))?.bytes;
            if (bytes === undefined) seen.absent += 1;
            else if (versions.some((version) => version.equals(bytes))) seen.whole += 1;
            else seen.torn += 1;
          }
          return seen;
        }

        const [, ...readers] = await Promise.all([write(), read(), read()]);
        for (const seen of readers) {
          expect(seen.torn).toBe(0);
          expect(seen.whole).toBeGreaterThan(0);
          if (!subject.canMissReplacedObjects) expect(seen.absent).toBe(0);
        }
      });

      test("have the content type of their extension", async () => {
        const key = await stored(Buffer.from("before"));
        await expect(
          storage.put(key, randomBytes(10), { contentType: "image/jpeg" }),
        ).rejects.toThrow("requires the content type image/png");
        expect(Buffer.from((await storage.get(key))?.bytes ?? []).toString()).toBe("before");
      });

      test("are copied with their bytes and content type, also to a key that exists", async () => {
        const bytes = randomBytes(300_000);
        const source = await stored(bytes);
        const target = `${folder}/copies/${randomUUID()}/1.png`;
        expect(await storage.copy(source, target)).toBe(true);
        expect(await storage.copy(source, target)).toBe(true);
        await storage.delete([source]);
        expect(await storage.get(target)).toEqual({ bytes, contentType: "image/png" });
      });

      test("are not copied when they are absent", async () => {
        const target = `${folder}/copies/${randomUUID()}/1.png`;
        expect(await storage.copy(`${folder}/absent.png`, target)).toBe(false);
        expect(await storage.get(target)).toBeNull();
        await expect(storage.copy(`${folder}/absent.png`, `${folder}/1.jpeg`)).rejects.toThrow(
          "requires the content type",
        );
      });

      test("are missing after deletion, and deleting missing objects succeeds", async () => {
        const [kept, first, second] = [
          await stored(randomBytes(10)),
          await stored(randomBytes(10)),
          await stored(randomBytes(10)),
        ];
        await storage.delete([first, `${folder}/absent/never.png`, second]);
        await storage.delete([first]);
        await storage.delete([]);
        expect(await storage.get(first)).toBeNull();
        expect(await storage.get(second)).toBeNull();
        expect(await storage.get(kept)).not.toBeNull();
      });

      test("are rejected with a key of more than 512 characters", async () => {
        const key = `${"a".repeat(510)}.png`;
        await expect(storage.put(key, randomBytes(1), png)).rejects.toThrow("not a storage key");
      });

      test.each(hostileKeys)("are rejected with the key %j", async (key) => {
        await expect(storage.put(key, randomBytes(1), png)).rejects.toThrow("not a storage key");
        await expect(storage.get(key)).rejects.toThrow("not a storage key");
        await expect(storage.delete([key])).rejects.toThrow("not a storage key");
        await expect(storage.sign(key, anHour)).rejects.toThrow("not a storage key");
      });
    });

    describe("a list", () => {
      test("contains every object with the prefix, ordered by key", async () => {
        const list = `${folder}/list`;
        const keys = ["a-b.png", "a/1.png", "a/2/deep.png", "a/3.png", "a0.png", "b.png"];
        const before = Date.now();
        for (const key of keys.toReversed()) {
          await storage.put(`${list}/${key}`, Buffer.alloc(key.length), png);
        }

        const objects = await collect(storage.list(`${list}/`));
        expect(objects.map(({ key, sizeBytes }) => [key, sizeBytes])).toEqual(
          keys.map((key) => [`${list}/${key}`, key.length]),
        );
        for (const { modifiedAt } of objects) {
          // Stores may round to whole seconds and use another machine's clock.
          expect(Math.abs(modifiedAt.getTime() - before)).toBeLessThan(60_000);
        }
      });

      test("supports a prefix that ends within a name", async () => {
        const list = `${folder}/middle`;
        for (const key of ["one.png", "only/deep.png", "two.png"]) {
          await storage.put(`${list}/${key}`, Buffer.alloc(1), png);
        }
        expect(await keysBelow(`${list}/on`)).toEqual([`${list}/one.png`, `${list}/only/deep.png`]);
        expect(await keysBelow(`${list}/only/`)).toEqual([`${list}/only/deep.png`]);
        expect(await keysBelow(`${list}/none`)).toEqual([]);
      });

      test.each(["../", "/", "a/../", "a//b", "."])("rejects the prefix %j", async (prefix) => {
        await expect(async () => collect(storage.list(prefix))).rejects.toThrow("not a prefix");
      });
    });

    describe("a signed URL", () => {
      test("gives access to the object until it expires", async () => {
        const bytes = randomBytes(200_000);
        const key = await stored(bytes);
        const before = Date.now();
        const { url, expiresAt } = await storage.sign(key, anHour);

        const response = await fetch(url);
        expect(response.status).toBe(200);
        expect(bytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
        expect(response.headers.get("content-type")).toBe("image/png");
        expect(response.headers.get("content-disposition")).toBe('inline; filename="castle.png"');
        // Expiry is in whole seconds.
        expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
        expect(expiresAt.getTime()).toBeLessThan(Date.now() + 3_601_000);
      });

      test("can be read by web pages of any origin, if the store says so", async () => {
        expect(await storage.allowAnyOrigin()).toBe(subject.supportsAnyOrigin);
        if (!subject.supportsAnyOrigin) return;
        const { url } = await storage.sign(await stored(randomBytes(10)), anHour);
        const { headers } = await fetch(url, { headers: { origin: "https://shop.example" } });
        expect(headers.get("access-control-allow-origin")).toBe("*");
        expect(headers.get("access-control-expose-headers")).toMatch(/ETag/i);
      });

      test("supports a download name in any script", async () => {
        const { url } = await storage.sign(await stored(randomBytes(1)), {
          ...anHour,
          downloadName: 'Zoë\'s "château".png',
        });
        expect((await fetch(url)).headers.get("content-disposition")).toBe(
          `inline; filename="Zo_'s \\"ch_teau\\".png"; ` +
            `filename*=UTF-8''Zo%C3%AB%27s%20%22ch%C3%A2teau%22.png`,
        );
      });

      test("rejects a download name with control characters", async () => {
        await expect(
          storage.sign(`${folder}/any.png`, { ...anHour, downloadName: "a\r\nset-cookie: b" }),
        ).rejects.toThrow("control characters");
      });

      test.each([0, -1, 1.5, NaN, 604_801])("rejects a lifetime of %d seconds", async (seconds) => {
        await expect(
          storage.sign(`${folder}/any.png`, { ...anHour, expiresInSeconds: seconds }),
        ).rejects.toThrow("must be 1 second to 7 days");
      });

      test("supports ranges", async () => {
        const bytes = randomBytes(1_000);
        const { url } = await storage.sign(await stored(bytes), anHour);
        const response = await fetch(url, { headers: { range: "bytes=100-199" } });
        expect(response.status).toBe(206);
        expect(response.headers.get("content-range")).toBe("bytes 100-199/1000");
        expect(bytes.subarray(100, 200).equals(Buffer.from(await response.arrayBuffer()))).toBe(
          true,
        );
      });

      test("of a missing object returns 404", async () => {
        const { url } = await storage.sign(`${folder}/absent.png`, anHour);
        expect((await fetch(url)).status).toBe(404);
      });

      test("is rejected without its signature", async () => {
        const { url } = await storage.sign(await stored(randomBytes(10)), anHour);
        const { status } = await fetch(url.slice(0, url.indexOf("?")));
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      });

      test("is rejected and not resolved if it was changed", async () => {
        const key = await stored(randomBytes(10));
        const other = await stored(randomBytes(10));
        const { url } = await storage.sign(key, anHour);
        for (const changed of [url.replace(key, other), ...changedQueries(url)]) {
          // Stores respond with 400 to malformed parameters.
          const { status } = await fetch(changed);
          expect([changed, status === 403 || status === 400]).toEqual([changed, true]);
          await expect(storage.resolveSignedUrl(changed)).rejects.toMatchObject({
            code: "reference_unreachable",
          });
        }
      });

      test("is rejected and not resolved after it has expired", async () => {
        const key = await stored(randomBytes(10));
        const twoHoursAgo = await subject.create({ now: () => Date.now() - 7_200_000 });
        const { url } = await twoHoursAgo.sign(key, anHour);

        expect(await twoHoursAgo.resolveSignedUrl(url)).toBe(key);
        await twoHoursAgo.close();
        expect((await fetch(url)).status).toBe(403);
        await expect(storage.resolveSignedUrl(url)).rejects.toMatchObject({
          code: "reference_unreachable",
          message: expect.stringContaining("expired"),
        });
      });

      test("has the public origin of the storage", async () => {
        const { url } = await storage.sign(`${folder}/a.png`, anHour);
        expect(new URL(url).origin).toBe(storage.publicOrigin);
      });

      test("resolves to its key", async () => {
        const key = `${folder}/deep/er/a-b_c.1.png`;
        const { url } = await storage.sign(key, { ...anHour, downloadName: "Zoë & co+1.png" });
        expect(await storage.resolveSignedUrl(url)).toBe(key);
      });

      test.each([
        "https://elsewhere.example/images/a.png?expires=1&name=a&signature=b",
        "not a URL",
        "",
        "data:image/png;base64,AAAA",
      ])("does not resolve %j", async (url) => {
        expect(await storage.resolveSignedUrl(url)).toBeNull();
      });

      test("does not resolve the same path on another host or port", async () => {
        const { url } = await storage.sign(`${folder}/a.png`, anHour);
        const { origin } = new URL(url);
        const otherHost = url.replace(origin, "http://elsewhere.example");
        const otherPort = url.replace(origin, `${new URL(url).protocol}//127.0.0.1:1`);
        expect(await storage.resolveSignedUrl(otherHost)).toBeNull();
        expect(await storage.resolveSignedUrl(otherPort)).toBeNull();
      });
    });
  });
}

export async function collect(objects: AsyncIterable<ListedObject>): Promise<ListedObject[]> {
  const collected: ListedObject[] = [];
  for await (const object of objects) collected.push(object);
  return collected;
}

/** Variants of the URL, each with one character of one parameter changed. */
function changedQueries(url: string): string[] {
  return [...new URL(url).searchParams].map(([parameter, value]) => {
    const changed = new URL(url);
    const last = value.at(-1) === "1" ? "2" : "1";
    changed.searchParams.set(parameter, value.slice(0, -1) + last);
    return changed.href;
  });
}
