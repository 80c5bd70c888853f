import express from "express";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { handleErrors } from "../error-handler.ts";
import { readImage } from "./read-image.ts";

it.each(["image/png", "multipart/form-data; boundary=x"])(
  "readImage refuses a compressed %s, which could need more memory than it takes",
  async (type) => {
    const app = express();
    let takenBytes = 0;
    const take = (_address: string, bytes = 0) => {
      takenBytes += bytes;
      return () => undefined;
    };
    app.post("/", async (request, response) => {
      const bytes = await readImage(request, response, { take });
      response.json(bytes.byteLength);
    });
    app.use(handleErrors({ warn: () => undefined, error: () => undefined }));
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": type, "Content-Encoding": "gzip" },
      body: new Uint8Array(gzipSync(Buffer.alloc(100_000))),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "unsupported_media_type" });
    expect(takenBytes).toBe(0);
  },
);
