import { createStorage, type Storage } from "@atelier/storage";
import express from "express";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createShares } from "../limits/shares.ts";
import { sendPieces, type Piece } from "./send-files.ts";

const fileBytes = 6_000_000;
const files = ["1", "2", "3"];

let directory: string;
let storage: Storage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-send-"));
  storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://127.0.0.1",
    signingSecret: "a secret that is only for tests and long enough",
  });
  for (const name of files) {
    const bytes = Buffer.alloc(fileBytes, Number(name));
    await storage.put(`${name}.png`, bytes, { contentType: "image/png" });
  }
});

afterAll(async () => {
  await storage.close();
  await rm(directory, { recursive: true, force: true });
});

const close: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(close.splice(0).map((end) => end())));

/** Sends pieces to one client, and returns the response, the files that were read, and how it ended. */
async function send(
  pieces: readonly Piece[],
  memory = createShares({ total: 1e8, perAccount: 1e8 }),
) {
  const reads: string[] = [];
  const recording: Pick<Storage, "get"> = {
    get(key) {
      reads.push(key);
      return storage.get(key);
    },
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  const app = express().get("/", async (_request, response) => {
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const options = { accountId: "a", type: "text/plain", signal: controller.signal };
    await sendPieces(response, pieces, options, { storage: recording, memory }).then(
      end,
      (error: unknown) => {
        response.destroy();
        end(error);
      },
    );
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  close.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const request = get({ port: (server.address() as AddressInfo).port });
  request.on("error", () => undefined);
  const opened = once(request, "response") as Promise<[IncomingMessage]>;
  return { reads, ended, request, opened };
}

const file = (key: string): Piece => ({ storageKey: `${key}.png`, sizeBytes: fileBytes });

describe("sending files in base64", () => {
  it("sends text and files in order with the length of the whole body", async () => {
    const { opened } = await send(["<", file("1"), "|", file("2"), ">"]);
    const [response] = await opened;
    const body = await text(response);
    expect(response.headers["content-length"]).toBe(String(body.length));
    const base64 = (value: number) => Buffer.alloc(fileBytes, value).toString("base64");
    expect(body === `<${base64(1)}|${base64(2)}>`).toBe(true);
  });

  it("reads a file only when the client has received most of the one before", async () => {
    const { reads, opened, request, ended } = await send([file("1"), file("2"), file("3")]);
    await opened;
    // The client reads nothing: the buffers of the connection are full long before 8 MB.
    for (let turn = 0; turn < 500; turn++) await setImmediate();
    expect(reads).toEqual(["1.png"]);
    request.destroy();
    await ended;
    expect(reads).toEqual(["1.png"]);
  });

  it("gives its memory up when the client disconnects", async () => {
    const memory = createShares({ total: fileBytes, perAccount: fileBytes });
    const { opened, request, ended } = await send([file("1"), file("2")], memory);
    await opened;
    request.destroy();
    await ended;
    const reserved = memory.wait("b", fileBytes, AbortSignal.timeout(5_000));
    expect(await reserved).toBeTypeOf("function");
  });

  it("fails before anything is sent when the first file does not exist", async () => {
    const { ended, opened } = await send(["<", file("missing"), ">"]);
    opened.catch(() => undefined);
    expect(await ended).toMatchObject({ code: "file_not_found" });
  });

  it("cuts the response off when a later file does not exist", async () => {
    const { opened } = await send([file("1"), file("missing")]);
    const [response] = await opened;
    await expect(text(response)).rejects.toThrow("aborted");
  });
});
