import { AppError } from "@atelier/schemas";
import express from "express";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  brotliCompressSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
  type InputType,
} from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { handleErrors } from "../error-handler.ts";
import { readBody } from "./read-body.ts";

const silent = { warn: () => undefined, error: () => undefined };

/** A server that reads bodies, with the memory that they take and give back. */
async function serve(maxBytes = Number.POSITIVE_INFINITY) {
  const app = express();
  const memory = { taken: 0, largest: 0 };
  app.locals["bodyBudget"] = {
    take(_accountId: string, bytes: number) {
      if (memory.taken + bytes > maxBytes) throw new AppError("overloaded", "Too many.");
      memory.taken += bytes;
      memory.largest = Math.max(memory.largest, memory.taken);
      return () => void (memory.taken -= bytes);
    },
  };
  app.use((_request, response, next) => {
    response.locals["caller"] = { accountId: "a" };
    next();
  });
  app.post("/", readBody, (request, response) => {
    response.json({ read: request.body as unknown, held: memory.taken });
  });
  app.use(handleErrors(silent));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const send = async (body: Buffer, encoding: string) => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": encoding };
    const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
    const sent = (await response.json()) as Record<string, unknown>;
    return { status: response.status, sent };
  };
  return { send, memory };
}

const compress: Readonly<Record<string, (input: InputType) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
/** Text that compresses to about half. */
const textOf = (length: number) => randomBytes(length / 2).toString("hex");

describe("a compressed body", () => {
  it.each(Object.entries(compress))("is read with %s", async (encoding, pack) => {
    const { send } = await serve();
    const body = { prompt: textOf(100_000) };
    expect(await send(pack(json(body)), encoding)).toMatchObject({
      status: 200,
      sent: { read: body },
    });
    const upper = await send(pack(json({ n: 1 })), encoding.toUpperCase());
    expect(upper).toMatchObject({ status: 200, sent: { read: { n: 1 } } });
  });

  it("takes memory for its bytes as they are decompressed, and gives it back", async () => {
    const { send, memory } = await serve();
    const body = json({ prompt: textOf(800_000) });
    expect((await send(gzipSync(body), "gzip")).status).toBe(200);
    expect(memory.largest).toBeGreaterThan(body.byteLength - 65_536);
    expect(memory.largest).toBeLessThanOrEqual(body.byteLength);
    expect(memory.taken).toBe(0);
  });

  it("is refused when the memory ends while it is decompressed", async () => {
    const { send, memory } = await serve(500_000);
    const { status, sent } = await send(gzipSync(json({ prompt: textOf(800_000) })), "gzip");
    expect([status, sent["error"]]).toEqual([503, "overloaded"]);
    expect(memory.taken).toBe(0);
  });

  it("of more than 1 MB is refused", async () => {
    const { send, memory } = await serve();
    const { status, sent } = await send(gzipSync(json({ prompt: textOf(1_100_000) })), "gzip");
    expect([status, sent["error"]]).toEqual([400, "request_too_large"]);
    expect(memory.taken).toBe(0);
  });

  it.each(Object.entries(compress))(
    "of more than 100 times its compressed size is refused with %s",
    async (encoding, pack) => {
      const { send, memory } = await serve();
      const { status, sent } = await send(pack(json({ prompt: " ".repeat(900_000) })), encoding);
      expect([status, sent["error"]]).toEqual([400, "request_too_large"]);
      expect(memory.largest).toBeLessThan(200_000);
    },
  );

  it.each(Object.keys(compress))("that is not %s is refused", async (encoding) => {
    const { send } = await serve();
    const whole = (compress[encoding] ?? gzipSync)(json({ prompt: textOf(4_000) }));
    for (const broken of [json({ n: 1 }), whole.subarray(0, 1_000)]) {
      const { status, sent } = await send(broken, encoding);
      expect([status, sent["error"]]).toEqual([400, "invalid_request"]);
      expect(sent["message"]).toBe(
        `The body is not complete ${encoding} data. Correct it and send it again.`,
      );
    }
  });

  it.each(["gzip, br", "compress"])("with the encoding %s is refused", async (encoding) => {
    const { send } = await serve();
    const { status, sent } = await send(gzipSync("{}"), encoding);
    expect([status, sent["error"]]).toEqual([400, "unsupported_media_type"]);
    expect(sent["message"]).toContain("one of gzip, deflate, br and zstd");
  });
});

it("reads JSON behind a byte order mark", async () => {
  const { send } = await serve();
  const marked = Buffer.concat([Buffer.from("\u{feff}"), json({ n: 1 })]);
  for (const [body, encoding] of [
    [marked, "identity"],
    [gzipSync(marked), "gzip"],
  ] as const) {
    expect(await send(body, encoding)).toMatchObject({ status: 200, sent: { read: { n: 1 } } });
  }
});
