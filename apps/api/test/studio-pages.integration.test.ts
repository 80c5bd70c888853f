import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readError } from "./support/client.ts";
import { serveApi } from "./support/studio.ts";

let stack: Stack;
let folder: string;
let api: { readonly url: string; stop(): Promise<void> };

const page = "<!doctype html><title>Studio</title>";
const germanPage = "<!doctype html><html lang=de><title>Studio</title>";
const script = "document.title = 'Atelier Studio';\n";

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
  folder = await mkdtemp(join(tmpdir(), "atelier-studio-"));
  const pages = join(folder, "dist");
  await mkdir(join(pages, "assets"), { recursive: true });
  const files = {
    "index.html": page,
    "index.de.html": germanPage,
    "theme.js": script,
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    ".stamp": "hash",
    "assets/index-C3x_Z-1.js": script,
    "assets/index-C3x_Z-1.js.br": brotliCompressSync(script),
    "assets/index-C3x_Z-1.js.gz": gzipSync(script),
    "assets/inter-4.woff2": "a font",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(pages, name), content);
  await writeFile(join(folder, "secret.txt"), "outside of the build");
  api = await serveApi(stack, {}, pages);
});

afterAll(async () => {
  await api.stop();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, method = "GET") => fetch(api.url + path, { method, redirect: "manual" });

/** Sends a request whose path and response `fetch` would change. */
async function getRaw(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly response: IncomingMessage; readonly body: Buffer }> {
  const { hostname, port } = new URL(api.url);
  const sent = request({ hostname, port, path, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { response, body: await buffer(response) };
}

describe("the pages of Studio", () => {
  it.each([
    ["/", "/studio"],
    ["/verify", "/studio/verify"],
  ])("are where %s leads", async (path, target) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await get(path, method);
      expect([response.status, response.headers.get("Location")]).toEqual([302, target]);
    }
  });

  it.each(["/studio", "/studio/", "/studio/library", "/studio/stories/new", "/studio?job=1"])(
    "are shown by index.html at %s",
    async (path) => {
      const response = await get(path);
      expect([response.status, await response.text()]).toEqual([200, page]);
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("Cache-Control")).toBe("no-cache");
      for (const validator of ["ETag", "Last-Modified"]) {
        expect(response.headers.get(validator)).toBeNull();
      }
    },
  );

  it("are in the language of the cookie, else of the browser, else English", async () => {
    const german = { "Accept-Language": "de-AT,de;q=0.9,en;q=0.8" };
    for (const [headers, expected] of [
      [german, germanPage],
      [{ ...german, Cookie: "atelier_language=en" }, page],
      [{ Cookie: "other=1; atelier_language=de" }, germanPage],
      [{ "Accept-Language": "fr" }, page],
    ] as const) {
      const { response, body } = await getRaw("/studio/library", headers);
      expect([headers, body.toString()]).toEqual([headers, expected]);
      expect(response.headers.vary).toBe("Accept-Language, Cookie, Accept-Encoding");
    }
  });

  it("have a CSP that allows nothing of other servers, inline scripts or HTML from scripts", async () => {
    const { headers } = await get("/studio/library");
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; " +
        `img-src 'self' blob: ${stack.url}; font-src 'self'; connect-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    const { host } = new URL(stack.url);
    const { response } = await getRaw("/studio", { Host: host });
    expect(response.headers["content-security-policy"]).toContain("img-src 'self' blob:; font-src");
  });

  it("load assets that browsers keep for a year", async () => {
    const response = await get("/studio/assets/inter-4.woff2");
    expect([response.status, await response.text()]).toEqual([200, "a font"]);
    expect(response.headers.get("Content-Type")).toBe("font/woff2");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  });

  it.each([
    ["gzip, deflate, br", "br", brotliCompressSync(script)],
    ["gzip", "gzip", gzipSync(script)],
    ["br;q=0, gzip", "gzip", gzipSync(script)],
  ])("for Accept-Encoding: %s are the %s files of the build", async (accepted, encoding, bytes) => {
    const path = "/studio/assets/index-C3x_Z-1.js";
    const compressed = await getRaw(path, { "Accept-Encoding": accepted });
    expect(compressed.response.headers).toMatchObject({
      "content-encoding": encoding,
      "content-type": "text/javascript; charset=utf-8",
      vary: "Accept-Encoding",
    });
    expect(compressed.body).toEqual(bytes);
    expect(await (await get(path)).text()).toBe(script);
  });

  it("are not compressed for clients that accept no encoding", async () => {
    const path = "/studio/assets/index-C3x_Z-1.js";
    for (const accepted of ["gzip;q=0", "deflate", ""]) {
      const { response, body } = await getRaw(path, { "Accept-Encoding": accepted });
      expect(response.headers["content-encoding"]).toBeUndefined();
      expect(response.headers.vary).toBe("Accept-Encoding");
      expect(body.toString()).toBe(script);
    }
  });

  it.each([
    ["theme.js", "text/javascript; charset=utf-8"],
    ["icon.svg", "image/svg+xml"],
  ])("load %s, which is not cached", async (name, type) => {
    const { status, headers } = await get(`/studio/${name}`);
    expect([status, headers.get("Content-Type")]).toEqual([200, type]);
    expect(headers.get("Cache-Control")).toBe("no-cache");
  });

  it("answer HEAD like GET, without the body", async () => {
    for (const path of ["/studio", "/studio/theme.js", "/studio/assets/index-C3x_Z-1.js"]) {
      const response = await get(path, "HEAD");
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(Number(response.headers.get("Content-Length"))).toBeGreaterThan(0);
    }
  });

  it.each([
    "/studio/assets/other.js",
    "/studio/assets/",
    "/studio/other.js",
    "/studio/favicon.ico",
  ])("do not exist for the file %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("Cache-Control")).toBeNull();
    expect(await readError(response)).toMatchObject({ error: "not_found" });
  });

  it.each([
    "/studio/../secret.txt",
    "/studio/..%2fsecret.txt",
    "/studio/assets/..%2f..%2fsecret.txt",
    "/studio/assets/../../secret.txt",
    "/studio/assets/%2e%2e/%2e%2e/secret.txt",
    "/studio/assets/..\\..\\secret.txt",
    "/studio/.stamp",
    "/studio/assets/.stamp",
  ])("do not include other files: %s", async (path) => {
    const { body } = await getRaw(path);
    expect(["outside of the build", "hash"]).not.toContain(body.toString());
  });

  it("are refused with other methods", async () => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await get("/studio", method)).status).toBe(404);
    }
  });

  it("are 503 with the command that builds them when they are not built", async () => {
    const other = await serveApi(stack, {}, join(folder, "missing"));
    try {
      const response = await fetch(`${other.url}/studio`);
      expect(response.status).toBe(503);
      expect((await readError(response)).message).toContain(
        "npm run build --workspace apps/studio",
      );
      expect((await fetch(`${other.url}/studio/assets/index.js`)).status).toBe(404);
      expect((await fetch(`${other.url}/studio/session`)).status).toBe(200);
      expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});
