import { StorageError } from "@atelier/storage";
import { expect, it, onTestFinished, vi } from "vitest";
import { checkAtStart, watchParts, type Parts, type PartsOptions } from "./parts.ts";

/** Watches a working queue and a storage that fails while `fault` is set. */
function watch(options: Partial<PartsOptions> = {}) {
  let fault: Error | null = null;
  const changes: string[] = [];
  const check = () => (fault === null ? Promise.resolve() : Promise.reject(fault));
  const parts = watchParts(
    { queues: { check: () => Promise.resolve() }, storage: { check } },
    {
      intervalMs: 1,
      maxStorageOutageMs: 60_000,
      onChange: (part, error) => changes.push(`${part} ${error === null ? "up" : "down"}`),
      ...options,
    },
  );
  onTestFinished(() => parts.close());
  const untilState = (state: Parts["states"]["storage"]) =>
    vi.waitFor(() => expect(parts.states.storage).toBe(state));
  return {
    parts,
    changes,
    async break(error: Error) {
      fault = error;
      await untilState("unavailable");
    },
    async repair() {
      fault = null;
      await untilState("ok");
    },
  };
}

it("accepts work during a storage outage shorter than the grace period", async () => {
  const storage = watch();
  await storage.break(new Error("unavailable"));
  expect(() => storage.parts.requireStorage()).not.toThrow();
});

it("refuses work during a longer storage outage, until it recovers", async () => {
  const storage = watch({ maxStorageOutageMs: 0 });
  await storage.break(new Error("unavailable"));
  expect(() => storage.parts.requireStorage()).toThrow(
    expect.objectContaining({ code: "overloaded", retryAfterMs: 30_000 }),
  );
  await storage.repair();
  expect(() => storage.parts.requireStorage()).not.toThrow();
});

it("reports each change once", async () => {
  const storage = watch();
  await storage.break(new Error("unavailable"));
  await storage.repair();
  expect(storage.changes).toEqual(["storage down", "storage up"]);
});

it("treats a dependency that times out as unavailable", async () => {
  const parts = watchParts(
    {
      queues: { check: () => new Promise(() => undefined) },
      storage: { check: () => Promise.resolve() },
    },
    { intervalMs: 1, timeoutMs: 1, onChange: () => undefined },
  );
  onTestFinished(() => parts.close());
  await vi.waitFor(() => expect(parts.states).toEqual({ queue: "unavailable", storage: "ok" }));
});

it("reports a dependency that is unavailable at the start until it answers", async () => {
  const storage = watch({
    first: { queue: null, storage: new Error("unavailable") },
    maxStorageOutageMs: 0,
  });
  expect(storage.parts.states).toEqual({ queue: "ok", storage: "unavailable" });
  expect(() => storage.parts.requireStorage()).toThrow("Images cannot be stored");
  await storage.repair();
  expect(storage.changes).toEqual(["storage down", "storage up"]);
});

it.each([
  ["refused connections", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
  ["a full disk", new StorageError("full", { cause: { code: "ENOSPC" } })],
])("the API starts with %s", async (_what, error) => {
  expect(await checkAtStart(() => Promise.reject(error))).toBe(error);
});

it("the API does not start with an error that an operator must fix", async () => {
  const denied = new StorageError("denied", { cause: new Error("AccessDenied") });
  await expect(checkAtStart(() => Promise.reject(denied))).rejects.toBe(denied);
});
