import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorage } from "@atelier/storage";
import express from "express";
import { expect, it, onTestFinished, vi } from "vitest";
import { handleErrors } from "../../http/error-handler.ts";
import { createArchiveSender, type Pace } from "./archive-files.ts";

/** Requests an archive of `first.png` and `second.png`, of which only some are stored. */
async function requestArchive(
  stored: readonly string[],
  { imageBytes = 100_000, pace }: { imageBytes?: number; pace?: Pace } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "atelier-archive-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const storage = await createStorage({
    url: `file://${folder}?min_free_mb=0`,
    publicUrl: "http://127.0.0.1",
    signingSecret: "a signing secret of 32 characters",
  });
  const bytes = Buffer.alloc(imageBytes, 1);
  for (const key of stored) await storage.put(key, bytes, { contentType: "image/png" });
  const logger = { warn: vi.fn<() => void>(), error: vi.fn<() => void>() };
  const send = createArchiveSender({ storage, logger } as never, pace);
  const files = ["first.png", "second.png"].map((name) => ({
    name,
    image: { storageKey: name, sizeBytes: bytes.length },
  }));
  const closed = Promise.withResolvers<{ readonly isComplete: boolean }>();
  const app = express();
  app.get("/archive", (_request, response) => {
    response.once("close", () => closed.resolve({ isComplete: response.writableFinished }));
    response.locals = { caller: { accountId: "account" }, requestId: "request" };
    return send(response, { files: files as never, name: "a.zip", time: new Date() });
  });
  app.use(handleErrors(logger));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    response: await fetch(`http://127.0.0.1:${port}/archive`),
    logger,
    closed: closed.promise,
  };
}

it("returns 404 file_not_found when the first image has just been deleted", async () => {
  const { response, logger } = await requestArchive(["second.png"]);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: "file_not_found" });
  expect(logger.error).not.toHaveBeenCalled();
});

it("closes the connection and logs the error when a later image cannot be read", async () => {
  const { response, logger } = await requestArchive(["first.png"]);
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
  await vi.waitFor(() => expect(logger.error).toHaveBeenCalledOnce());
});

it("disconnects a client that reads less than the slowest pace, and logs no error", async () => {
  // More than the buffers of a connection hold, of which the client reads nothing.
  const { response, logger, closed } = await requestArchive(["first.png", "second.png"], {
    imageBytes: 16_000_000,
    pace: { freeMs: 0, everyMs: 50, bytesPerMs: 1_000 },
  });
  expect(await closed).toEqual({ isComplete: false });
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect(logger.error).not.toHaveBeenCalled();
});

it("sends the archive to a client that reads it, whatever its size", async () => {
  const { response, closed } = await requestArchive(["first.png", "second.png"], {
    imageBytes: 4_000_000,
  });
  expect((await response.arrayBuffer()).byteLength).toBe(
    Number(response.headers.get("Content-Length")),
  );
  expect(await closed).toEqual({ isComplete: true });
});
