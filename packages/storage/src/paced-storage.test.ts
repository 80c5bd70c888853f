import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAdaptiveLimit } from "./adaptive-limit.ts";
import { createCircuit } from "./circuit.ts";
import { paceStorage } from "./paced-storage.ts";
import { createS3Storage } from "./s3-storage.ts";
import type { Storage } from "./storage.ts";
import { StorageError, withStorageErrors } from "./storage-error.ts";

const png = { contentType: "image/png" };

/** An S3 store that answers at once. */
async function startStore() {
  let isUnavailable = false;
  const server = createServer((request, response) => {
    request.resume();
    if (isUnavailable) request.socket.destroy();
    else if (request.method === "HEAD") response.end();
    else response.writeHead(200, { ETag: '"tag"' }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://key:secret@127.0.0.1:${port}/bucket?tls=false`,
    setUnavailable: (unavailable: boolean) => {
      isUnavailable = unavailable;
    },
  };
}

/**
 * A store that executes two writes at once, each for 5 s, while the others wait. A client stops waiting
 * after 30 s; like a real store, it notices only afterwards.
 */
function createSlowStore() {
  const [capacity, takesMs, timeoutMs] = [2, 5_000, 30_000];
  let busy = 0;
  let served = 0;
  const waiting: (() => void)[] = [];
  function next(): void {
    while (busy < capacity && waiting.length > 0) {
      busy++;
      waiting.shift()?.();
    }
  }
  const serve = (done: () => void) =>
    void setTimeout(() => {
      busy--;
      served++;
      done();
      next();
    }, takesMs);
  const put = () =>
    new Promise<void>((resolve, reject) => {
      setTimeout(() => reject(new StorageError("no answer in time")), timeoutMs);
      waiting.push(() => serve(resolve));
      next();
    });
  return {
    storage: { put, check: async () => undefined } as unknown as Storage,
    served: () => served,
    /** Share of its capacity that was used until now. */
    used: () => (served * takesMs) / (performance.now() * capacity),
  };
}

describe("a paced storage", () => {
  test("uses at least 80 % of a slow store's capacity with 40 concurrent callers", async () => {
    vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = createSlowStore();
    const storage = paceStorage(store.storage);
    const stored: string[] = [];
    const writes = Array.from({ length: 40 }, async (_, caller) => {
      for (let object = 0; object < 5;) {
        try {
          const key = `renders/${caller}/${object}.png`;
          await storage.put(key, Buffer.from("x"), png);
          stored.push(key);
          object++;
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
          await storage.untilUsable(new AbortController().signal);
        }
      }
    });
    // Twice as long as the store needs.
    for (let second = 0; second < 1_000 && stored.length < 200; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(stored).toHaveLength(200);
    await Promise.all(writes);
    // Share of the store's operations whose result was still needed.
    expect(stored.length / store.served()).toBeGreaterThan(0.8);
    expect(store.used()).toBeGreaterThan(0.8);
  });

  test("opens the circuit after five consecutive failures and recovers when the store is back", async () => {
    const store = await startStore();
    const s3 = withStorageErrors(await createS3Storage({ url: store.url, timeoutMs: 50 }));
    onTestFinished(() => s3.close());
    const ended: string[] = [];
    const storage = paceStorage(s3, {
      onEnd: (operation, isOk) => ended.push(`${operation} ${isOk ? "ok" : "failed"}`),
    });
    const put = () => storage.put("renders/a/1.png", Buffer.from("x"), png);
    store.setUnavailable(true);
    for (let failure = 0; failure < 5; failure++) await expect(put()).rejects.toThrow(StorageError);
    expect(storage.state().isOpen).toBe(true);
    await expect(put()).rejects.toThrow("is not asked for 1 s");
    store.setUnavailable(false);
    await storage.untilUsable(AbortSignal.timeout(5_000));
    await put();
    expect(storage.state().isOpen).toBe(false);
    expect(ended).toEqual([...Array<string>(6).fill("put failed"), "put ok"]);
  });

  test("times out an operation that the store never answers", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = await startStore();
    const s3 = await createS3Storage({ url: store.url });
    onTestFinished(() => s3.close());
    const hanging = { ...s3, get: () => new Promise<never>(() => undefined) };
    const storage = paceStorage(hanging, { timeoutMs: 60_000 });
    const answer = storage.get("a.png");
    // Handled below; this prevents an unhandled rejection in the meantime.
    answer.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(answer).rejects.toThrow("did not answer within 60 s");
  });
});

describe("the concurrency limit", () => {
  test("grows while it is reached and operations are fast, and shrinks otherwise", async () => {
    const limit = createAdaptiveLimit({ initial: 4, max: 8 });
    const round = async (pace: "fast" | "slow" | "failed") => {
      const places = await Promise.all(Array.from({ length: limit.limit }, () => limit.enter()));
      for (const leave of places) leave(pace);
    };
    for (let count = 0; count < 30; count++) await round("fast");
    expect(limit.limit).toBe(8);
    await round("failed");
    // Failures of one round decrease the limit once.
    expect(limit.limit).toBe(4);
    await round("slow");
    expect(limit.limit).toBe(3);
  });

  test("queues excess operations in order", async () => {
    const limit = createAdaptiveLimit({ initial: 1, max: 1 });
    const leave = await limit.enter();
    const started: number[] = [];
    const others = [1, 2].map(async (number) => {
      const done = await limit.enter();
      started.push(number);
      done("fine");
    });
    expect(started).toEqual([]);
    leave("fine");
    await Promise.all(others);
    expect(started).toEqual([1, 2]);
  });
});

test("the circuit opens for longer each time and closes with the first success", () => {
  let now = 0;
  const circuit = createCircuit({
    failures: 2,
    coolDownMs: 100,
    maxCoolDownMs: 300,
    now: () => now,
  });
  circuit.failed();
  expect(circuit.openForMs()).toBe(0);
  circuit.failed();
  expect(circuit.openForMs()).toBe(100);
  circuit.failed();
  now = 100;
  expect(circuit.openForMs()).toBe(0);
  circuit.failed();
  expect(circuit.openForMs()).toBe(200);
  now = 300;
  circuit.failed();
  expect(circuit.openForMs()).toBe(300);
  circuit.succeeded();
  expect(circuit.openForMs()).toBe(0);
});
