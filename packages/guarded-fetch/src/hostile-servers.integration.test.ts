import { once } from "node:events";
import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { claimJpegSize, noise, twoColours, whitePng } from "./testing/images.ts";
import { publicAddress, portOf, type Site } from "./testing/internet.ts";
import { never, online, refusal } from "./testing/online.ts";
import {
  answering,
  redirecting,
  repeat,
  saying,
  sayingEndlessly,
  sending,
} from "./testing/sites.ts";

const png = await twoColours().png().toBuffer();
const jpeg = await noise().jpeg().toBuffer();
const gif = await twoColours().gif().toBuffer();
const avif = await twoColours().avif({ effort: 0 }).toBuffer();
const tiff = await twoColours().tiff().toBuffer();

describe("certificates are checked", () => {
  test.each(["self-signed", "other-name", "expired"] as const)(
    "a %s certificate: nothing is sent",
    async (certificate) => {
      const { fetcher, internet } = await online({
        "site.example.org": { ...sending(png), certificate },
      });
      const error = await refusal(fetcher, "https://site.example.org/");
      expect(error.details).toEqual({ reason: "unreachable" });
      expect(error.retryable).toBe(false);
      expect(internet.connectionCount()).toBe(1);
      expect(internet.seen.requests).toEqual([]);
    },
  );

  test("although the environment disables the check", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { fetcher, internet } = await online({
      "site.example.org": { ...sending(png), certificate: "self-signed" },
    });
    await refusal(fetcher, "https://site.example.org/");
    expect(internet.seen.requests).toEqual([]);
  });

  test("against the URL's host, not the dialled address", async () => {
    const { fetcher, internet } = await online({ "site.example.org": sending(png) });
    const error = await refusal(fetcher, "https://93.184.215.15/");
    expect(error.details).toEqual({ reason: "unreachable" });
    expect(internet.seen.requests).toEqual([]);
  });
});

describe("responses are bounded", () => {
  const zeros = Buffer.alloc(50_000_000);
  const half = jpeg.subarray(0, jpeg.length / 2);
  /** Reasons that concern the file itself, so that another URL would not help. */
  const aboutTheFile = new Set([
    "too_large",
    "encoded_content",
    "not_an_image",
    "too_many_pixels",
    "undecodable",
  ]);

  const sites: [string, string, Site][] = [
    ["a body over the limit, announced", "too_large", sending(Buffer.alloc(200_001))],
    [
      "a body announced as enormous",
      "too_large",
      saying("HTTP/1.1 200 OK\r\ncontent-length: 900719925474099\r\n\r\n"),
    ],
    [
      "a body without end, in chunks",
      "too_large",
      {
        http: (_request, response) => {
          response.write(png);
          repeat(response, "x".repeat(60_000));
        },
      },
    ],
    [
      "a body without end, until the connection closes",
      "too_large",
      sayingEndlessly("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(60_000)),
    ],
    ["a gzip bomb", "encoded_content", sending(gzipSync(zeros), { "content-encoding": "gzip" })],
    [
      "a brotli bomb",
      "encoded_content",
      sending(brotliCompressSync(zeros), { "content-encoding": "br" }),
    ],
    [
      "nested encodings",
      "encoded_content",
      sending(gzipSync(gzipSync(zeros)), { "content-encoding": "gzip, gzip" }),
    ],
    ["a gzip file declared as an image", "not_an_image", sending(gzipSync(zeros))],
    ["a PNG bomb", "too_many_pixels", sending(whitePng(14_000, 14_000))],
    ["a JPEG bomb", "too_many_pixels", sending(claimJpegSize(jpeg, 65_500, 65_500))],
    [
      "SVG as image/png",
      "not_an_image",
      sending(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), {
        "content-type": "image/png",
      }),
    ],
    ["HTML as image/jpeg", "not_an_image", sending(Buffer.from("<!doctype html><p>hi"))],
    ["a GIF", "not_an_image", sending(gif)],
    ["half an AVIF", "undecodable", sending(avif.subarray(0, avif.length / 2))],
    ["a TIFF", "not_an_image", sending(tiff)],
    ["a PDF", "not_an_image", sending(Buffer.from("%PDF-1.7\n%\xe2\xe3"))],
    ["a zip", "not_an_image", sending(Buffer.from("PK\u0003\u0004"))],
    ["nothing", "not_an_image", sending(Buffer.alloc(0))],
    ["a truncated JPEG", "undecodable", sending(half)],
    ["a truncated PNG", "undecodable", sending(png.subarray(0, png.length / 2))],
    [
      "a PNG signature and then HTML",
      "undecodable",
      sending(Buffer.concat([png.subarray(0, 8), Buffer.from("<html>")])),
    ],
    [
      "a length that is too small",
      "undecodable",
      saying(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${half.length}\r\n\r\n`),
          jpeg,
        ]),
      ),
    ],
    [
      "a length that is too large",
      "connection_lost",
      saying(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${jpeg.length + 1}\r\n\r\n`),
          jpeg,
        ]),
      ),
    ],
    [
      "a length that is too large, on a connection announced to close",
      "connection_lost",
      saying(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nshort`),
    ],
    [
      "a chunked body that breaks off",
      "connection_lost",
      {
        http: (_request, response) => {
          response.write(half, () => response.socket?.destroy());
        },
      },
    ],
    ["a connection closed without a response", "connection_lost", { raw: (s) => s.destroy() }],
    [
      "two lengths",
      "bad_response",
      saying("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"),
    ],
    [
      "a length and chunks",
      "bad_response",
      saying("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
    ],
    ["a response that is not HTTP", "bad_response", saying("SSH-2.0-OpenSSH_9.2\r\n")],
    [
      "a switch of protocols",
      "connection_lost",
      saying("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    [
      "a header line of 20 kB",
      "bad_response",
      saying(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(20_000)}\r\n\r\n`),
    ],
    [
      "headers without end",
      "bad_response",
      sayingEndlessly("HTTP/1.1 200 OK\r\n", `x: ${"y".repeat(4000)}\r\n`),
    ],
    [
      "trailers without end",
      "bad_response",
      sayingEndlessly(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n",
        `x: ${"y".repeat(4000)}\r\n`,
      ),
    ],
    ...[201, 203, 206, 300, 400, 401, 403, 404, 410, 429, 500, 503].map(
      (status): [string, string, Site] => [
        `status ${status}`,
        "status_not_ok",
        answering(status, png),
      ],
    ),
  ];

  test.each(sites)("%s: %s", async (_name, reason, site) => {
    const { fetcher } = await online({ "site.example.org": site });
    const error = await refusal(fetcher, "https://site.example.org/");
    expect(error.details).toEqual({ reason });
    expect(error.code).toBe(
      aboutTheFile.has(reason) ? "reference_invalid" : "reference_unreachable",
    );
    expect(error.status).toBe(422);
  });

  test.each([
    ["the limit is exceeded", "200 OK", "too_large", 20_000_000],
    [
      "a status is rejected",
      "404 Not Found\r\ncontent-length: 9000000",
      "status_not_ok",
      1_000_000,
    ],
    ["a redirect is read", "302 Found\r\nlocation: http://x.org/", "redirect_refused", 1_000_000],
    ["an encoding is rejected", "200 OK\r\ncontent-encoding: br", "encoded_content", 1_000_000],
  ])("closes the connection as soon as %s", async (_when, head, reason, maxBytes) => {
    const { promise: bytesSent, resolve } = Promise.withResolvers<number>();
    const { fetcher } = await online({
      "site.example.org": {
        raw: (socket) => {
          socket.on("close", () => resolve(socket.bytesWritten));
          socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
          repeat(socket, "x".repeat(60_000));
        },
      },
    });
    const error = await refusal(fetcher, "https://site.example.org/");
    expect(error.details).toEqual({ reason });
    expect(await bytesSent).toBeLessThan(maxBytes);
  });
});

describe("time is bounded", () => {
  const silent: Site = { raw: () => {} };
  const dripping: Site = sayingEndlessly("HTTP/1.1 200 OK\r\n\r\n\xff\xd8\xff", "x");
  const drippingHeaders: Site = sayingEndlessly("HTTP/1.1 200 OK\r\nx: ", "y");
  const hints: Site = sayingEndlessly("", "HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n");
  const silentBody: Site = {
    raw: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
  };

  test.each([
    ["no response", silent, { idleTimeoutMs: 100 }],
    ["a response that stops after its headers", silentBody, { idleTimeoutMs: 100 }],
    ["a slowly sent body", dripping, { totalTimeoutMs: 300 }],
    ["slowly sent headers", drippingHeaders, { totalTimeoutMs: 300 }],
    ["endless provisional responses", hints, { totalTimeoutMs: 300 }],
  ])("%s", async (_name, site, timeouts) => {
    const { fetcher } = await online({ "site.example.org": site }, timeouts);
    const startedAt = performance.now();
    const error = await refusal(fetcher, "https://site.example.org/");
    expect(error.details).toEqual({ reason: "timeout" });
    expect(error.retryable).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test("all redirects share one deadline", async () => {
    const { fetcher, internet } = await online(
      { "a.example.org": redirecting("https://b.example.org/"), "b.example.org": dripping },
      // A connection that is opened too slowly on a busy machine is "unreachable".
      { totalTimeoutMs: 2_000 },
    );
    const error = await refusal(fetcher, "https://a.example.org/");
    expect(error.details).toEqual({ reason: "timeout" });
    expect(internet.seen.requests).toHaveLength(1);
  });

  test("a name server that does not respond", async () => {
    const { fetcher } = await online(
      {},
      {
        totalTimeoutMs: 100,
        testing: { lookup: () => new Promise(() => {}) },
      },
    );
    expect((await refusal(fetcher, "https://site.example.org/")).retryable).toBe(true);
  });

  test("a handshake that does not proceed", async () => {
    const silentServer = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silentServer, "listening");
    onTestFinished(() => {
      silentServer.close();
    });
    const { fetcher } = await online(
      {},
      {
        connectTimeoutMs: 100,
        testing: {
          lookup: async () => [publicAddress],
          route: () => ({ host: "127.0.0.1", port: portOf(silentServer) }),
        },
      },
    );
    const startedAt = performance.now();
    const error = await refusal(fetcher, "https://site.example.org/");
    expect(error).toMatchObject({ details: { reason: "unreachable" }, retryable: true });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test("the caller's abort ends a request in any phase with the caller's reason", async () => {
    const reason = new DOMException("the caller's own deadline", "TimeoutError");
    const whileResolving = new AbortController();
    const whileWaiting = new AbortController();
    const { fetcher } = await online({
      "site.example.org": { raw: () => whileWaiting.abort(reason) },
    });
    const { fetcher: unresolved } = await online(
      {},
      {
        testing: {
          lookup: () => {
            whileResolving.abort(reason);
            return new Promise(() => {});
          },
        },
      },
    );
    const url = "https://site.example.org/";
    await expect(unresolved.fetchImage(url, whileResolving.signal)).rejects.toBe(reason);
    await expect(fetcher.fetchImage(url, whileWaiting.signal)).rejects.toBe(reason);
    await expect(fetcher.fetchImage(url, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("closing aborts running requests and prevents new ones", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { fetcher, internet } = await online({ "site.example.org": { raw: () => resolve() } });
    const fetching = fetcher.fetchImage("https://site.example.org/", never);
    const outcome = Promise.allSettled([fetching]);
    await arrived;
    await fetcher.close();
    expect(await outcome).toMatchObject([{ reason: { message: "The fetcher is closed" } }]);
    await expect(fetcher.fetchImage("https://site.example.org/", never)).rejects.toThrow("closed");
    expect(internet.connectionCount()).toBe(1);
  });
});
