import { expect, it } from "vitest";
import { unlessAborted } from "./unless-aborted.ts";

const never = new Promise<never>(() => {});

it("returns the result of the work", async () => {
  expect(await unlessAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
  expect(await unlessAborted(Promise.resolve(1), undefined)).toBe(1);
});

it("rejects with the reason when the signal aborts", async () => {
  const controller = new AbortController();
  const waiting = unlessAborted(never, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

it("rejects at once when the signal was aborted before", async () => {
  await expect(unlessAborted(never, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
    "stopped",
  );
});
