import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { AppError } from "@atelier/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createFileStorage } from "./file-storage.ts";
import { collect, describeStorage } from "./storage.contract.ts";
import type { Storage } from "./storage.ts";

const signingSecret = "a secret of the tests, of some length";
const png = { contentType: "image/png" };
const anHour = { expiresInSeconds: 3600, downloadName: "castle.png" };

/** File storage in a new directory, and an HTTP server that serves its URLs like the API. */
async function startFiles() {
  const directory = await mkdtemp(join(tmpdir(), "atelier-storage-"));
  let serve: Storage["serve"] = null;
  const server = createServer((request, response) => {
    const target = (request.url ?? "").replace(/^\/images/, "");
    serve?.(target, request, response).catch((error: unknown) => {
      response.writeHead(error instanceof AppError ? error.status : 500).end(String(error));
    });
  });
  const publicUrl = await listen(server);
  const create = (options: { now?: () => number } = {}): Promise<Storage> =>
    createFileStorage({ directory, publicUrl, signingSecret, ...options });
  ({ serve } = await create());
  return {
    directory,
    publicUrl,
    create,
    canMissReplacedObjects: false,
    supportsAnyOrigin: true,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
      await rm(directory, { recursive: true });
    },
  };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP port");
  return `http://127.0.0.1:${address.port}`;
}

describeStorage("in files", startFiles);

describe("files", () => {
  let files: Awaited<ReturnType<typeof startFiles>>;
  let storage: Storage;

  beforeAll(async () => {
    files = await startFiles();
    storage = await files.create();
  });

  afterAll(() => files.stop());

  test("are deleted even if others cannot be deleted, and those are reported", async () => {
    await storage.put("removable.png", randomBytes(10), png);
    // A valid key that exceeds the maximum length of a file name.
    const unremovable = `${"a".repeat(300)}.png`;
    const failed = await storage.delete([unremovable, "removable.png", "absent.png"]);
    expect(failed).toEqual([{ key: unremovable, reason: expect.stringContaining("ENAMETOOLONG") }]);
    expect(await storage.get("removable.png")).toBeNull();
  });

  test("leave no temporary file and no empty folder", async () => {
    await storage.put("one/two/three.png", randomBytes(10), png);
    await storage.put("one/four.png", randomBytes(10), png);
    await mkdir(join(files.directory, "taken.png", "below"), { recursive: true });
    await expect(storage.put("taken.png", randomBytes(10), png)).rejects.toThrow("taken.png");
    await rm(join(files.directory, "taken.png"), { recursive: true });

    await storage.delete(["one/two/three.png"]);
    expect(await readdir(join(files.directory, "one"))).toEqual(["four.png"]);
    await storage.delete(["one/four.png"]);
    expect(await readdir(files.directory, { recursive: true })).toEqual([".incoming"]);
  });

  test("can be written while their folder is emptied and deleted", async () => {
    async function write(name: string): Promise<void> {
      for (let round = 0; round < 30; round += 1) {
        await storage.put(`busy/${name}.png`, Buffer.from(name), png);
        await storage.delete([`busy/${name}.png`]);
      }
      await storage.put(`busy/${name}.png`, Buffer.from(name), png);
    }
    await Promise.all(["a", "b", "c"].map(write));
    const objects = await collect(storage.list("busy/"));
    expect(objects.map(({ key }) => key)).toEqual(["busy/a.png", "busy/b.png", "busy/c.png"]);
  });

  test("left incomplete by a crash are deleted, those being written are not", async () => {
    const incoming = join(files.directory, ".incoming");
    await writeFile(join(incoming, "abandoned"), "half");
    await writeFile(join(incoming, "being-written"), "half");
    const twoHoursAgo = Date.now() / 1000 - 7_200;
    await utimes(join(incoming, "abandoned"), twoHoursAgo, twoHoursAgo);

    await files.create();
    expect(await readdir(incoming)).toEqual(["being-written"]);
    await rm(join(incoming, "being-written"));
  });

  test("and their folders are accessible to the owner only", async () => {
    const directory = join(files.directory, "closed");
    const closed = await createFileStorage({
      directory,
      publicUrl: files.publicUrl,
      signingSecret,
    });
    await closed.put("a/b.png", Buffer.from("image"), { contentType: "image/png" });
    const modes = await Promise.all(
      ["", ".incoming", "a", "a/b.png"].map(async (path) => {
        const { mode } = await stat(join(directory, path));
        return (mode & 0o777).toString(8);
      }),
    );
    expect(modes).toEqual(["700", "700", "700", "600"]);
    await rm(directory, { recursive: true });
  });

  test("are not ready when their directory is missing", async () => {
    const directory = join(files.directory, "short-lived");
    const unavailable = await createFileStorage({
      directory,
      publicUrl: files.publicUrl,
      signingSecret,
    });
    await unavailable.check();
    await rm(directory, { recursive: true });
    await expect(unavailable.check()).rejects.toThrow("ENOENT");
  });

  test("signed with another secret are refused", async () => {
    const other = await createFileStorage({
      directory: files.directory,
      publicUrl: files.publicUrl,
      signingSecret: "another secret of the tests, as long",
    });
    const { url } = await other.sign("a.png", anHour);
    const response = await fetch(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("signature of this image URL is invalid");
  });

  test("require a signing secret of at least 32 characters", async () => {
    const short = {
      directory: files.directory,
      publicUrl: files.publicUrl,
      signingSecret: "short",
    };
    await expect(createFileStorage(short)).rejects.toThrow("at least 32 characters");
  });

  describe("over HTTP", () => {
    const bytes = Buffer.from("0123456789");
    let url: string;

    beforeAll(async () => {
      await storage.put("served.png", bytes, png);
      ({ url } = await storage.sign("served.png", anHour));
    });

    test.each([
      ["bytes=2-4", "234", "bytes 2-4/10"],
      ["bytes=7-", "789", "bytes 7-9/10"],
      ["bytes=7-100", "789", "bytes 7-9/10"],
      ["bytes=-3", "789", "bytes 7-9/10"],
      ["bytes=-30", "0123456789", "bytes 0-9/10"],
    ])("the range %s returns a part", async (range, part, contentRange) => {
      const response = await fetch(url, { headers: { range } });
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(contentRange);
      expect(await response.text()).toBe(part);
    });

    test.each(["bytes=4-2", "bytes=-", "bytes=1-2,4-5", "lines=1-2", "bytes=a-b"])(
      "the range %s is ignored",
      async (range) => {
        const response = await fetch(url, { headers: { range } });
        expect(response.status).toBe(200);
        expect(await response.text()).toBe("0123456789");
      },
    );

    test.each(["bytes=10-", "bytes=-0"])("the range %s cannot be satisfied", async (range) => {
      const response = await fetch(url, { headers: { range } });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */10");
    });

    test("HEAD returns the headers without a body", async () => {
      const response = await fetch(url, { method: "HEAD" });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-length")).toBe("10");
      expect(await response.text()).toBe("");
    });

    test("returns 304 until the image changes", async () => {
      const etag = (await fetch(url)).headers.get("etag") ?? "";
      const again = await fetch(url, { headers: { "if-none-match": `"other", W/${etag}` } });
      expect(again.status).toBe(304);

      await storage.put("served.png", bytes, png);
      const changed = await fetch(url, { headers: { "if-none-match": etag } });
      expect(changed.status).toBe(200);
      const resumed = await fetch(url, { headers: { range: "bytes=5-", "if-range": etag } });
      expect(await resumed.text()).toBe("0123456789");
    });

    test("max-age is the remaining life of the URL", async () => {
      const { url: brief } = await storage.sign("served.png", { ...anHour, expiresInSeconds: 60 });
      const cacheControl = (await fetch(brief)).headers.get("cache-control");
      expect(cacheControl).toMatch(/^private, max-age=(59|60|58)$/);
    });

    test("survives a client that disconnects during the response", async () => {
      await storage.put("large.png", randomBytes(20_000_000), png);
      const { url: large } = await storage.sign("large.png", anHour);
      const disconnect = new AbortController();
      const response = await fetch(large, { signal: disconnect.signal });
      await response.body?.getReader().read();
      disconnect.abort();
      expect((await fetch(url)).status).toBe(200);
    });

    test("survives a client that disconnects before the response", async () => {
      const { resolve, promise: served } = Promise.withResolvers<unknown>();
      const target = url.slice(`${files.publicUrl}/images`.length);
      const server = createServer((request, response) => {
        response.once("close", () => {
          resolve(storage.serve?.(target, request, response).catch((error: unknown) => error));
        });
        request.socket.destroy();
      });
      const origin = await listen(server);
      await expect(fetch(origin)).rejects.toThrow("fetch failed");
      expect(await served).toBeUndefined();
      server.close();
    });
  });
});
