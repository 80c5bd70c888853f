import type { Request, Response } from "express";
import { randomBytes, randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createShares } from "../../http/limits/shares.ts";
import { withRequestImages, type ReceivingDependencies } from "./request-images.ts";

const createResponse = () =>
  Object.assign(new EventEmitter(), {
    locals: { caller: { accountId: randomUUID() } },
  }) as unknown as Response;

it("withRequestImages keeps no image in memory after discard", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let image: WeakRef<Buffer> | null = null;
  const isCollected: boolean[] = [];
  await withRequestImages(
    {} as Request,
    createResponse(),
    {
      operation: "edit",
      receive({ newId }) {
        const bytes = randomBytes(100_000);
        image = new WeakRef(bytes);
        return Promise.resolve({ images: [{ id: newId(), path: "image", bytes, sha256: "" }] });
      },
      async work(_received, images) {
        for (const isDiscarded of [false, true]) {
          if (isDiscarded) images.discard();
          await setImmediate();
          collect();
          isCollected.push(image?.deref() === undefined);
        }
      },
    },
    {} as ReceivingDependencies,
  );
  expect(isCollected).toEqual([false, true]);
});

it("withRequestImages throws invalid_request when the client disconnects while it waits for memory", async () => {
  const imageMemory = createShares({ total: 1, perAccount: 1 });
  imageMemory.take("another");
  const response = createResponse();
  const request = { get: () => "1" } as unknown as Request;
  const handled = withRequestImages(
    request,
    response,
    {
      operation: "edit",
      async receive(receiving) {
        const prepared = receiving.prepare(100_000, true);
        await setImmediate();
        response.emit("close");
        await prepared;
        return { images: [] };
      },
      work: () => Promise.resolve(),
    },
    { imageMemory, parts: { requireStorage: () => undefined } } as unknown as ReceivingDependencies,
  );
  await expect(handled).rejects.toMatchObject({ code: "invalid_request" });
});
