import type { Request, Response } from "express";
import { randomBytes, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withRequestImages, type ReceivingDependencies } from "./request-images.ts";

const response = { locals: { caller: { accountId: randomUUID() } } } as unknown as Response;

it("withRequestImages keeps no image in memory after discard", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let image: WeakRef<Buffer> | null = null;
  const isCollected: boolean[] = [];
  await withRequestImages(
    {} as Request,
    response,
    {
      operation: "edit",
      receive({ newId }) {
        const bytes = randomBytes(100_000);
        image = new WeakRef(bytes);
        return Promise.resolve({ images: [{ id: newId(), path: "image", bytes, sha256: "" }] });
      },
      async work(_received, { discard }) {
        for (const isDiscarded of [false, true]) {
          if (isDiscarded) discard();
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
