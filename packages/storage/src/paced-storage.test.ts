import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAdaptiveLimit } from "./adaptive-limit.ts";
import { createCircuit } from "./circuit.ts";
import { paceStorage } from "./paced-storage.ts";
import { createS3Storage } from "./s3-storage.ts";
import { StorageError, withStorageErrors } from "./storage-error.ts";

const png = { contentType: "image/png" };

/** An S3 store that executes `capacity` requests at once, each for `takesMs`; the others wait. */
async function startSlowStore(capacity: number, takesMs: number) {
  let busy = 0;
  let isUnavailable = false;
  let served = 0;
  let busyMs = 0;
  const waiting: (() => void)[] = [];
  const next = () => {
    while (busy < capacity && waiting.length > 0) {
      busy++;
      waiting.shift()?.();
    }
  };
  const server = createServer((request, response) => {
    request.resume();
    if (isUnavailable) {
      request.socket.destroy();
      return;
    }
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    // Like a real store, it notices only afterwards whether the client still waits.
    waiting.push(() => {
      const begunAt = performance.now();
      setTimeout(() => {
        busy--;
        busyMs += performance.now() - begunAt;
        served++;
        response.writeHead(200, { ETag: '"tag"' }).end();
        next();
      }, takesMs);
    });
    next();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://key:secret@127.0.0.1:${port}/bucket?tls=false`,
    served: () => served,
    /** Total time during which its slots were in use. */
    busyMs: () => busyMs,
    setUnavailable: (unavailable: boolean) => {
      isUnavailable = unavailable;
    },
  };
}

describe("a paced storage", () => {
  test(
    "uses at least 80 % of a slow store's capacity with 40 concurrent callers",
    { timeout: 60_000, tags: "full" },
    async () => {
      // A hundredth of the real times: 5 s for an operation, 30 s until a request times out.
      const [capacity, takesMs, timeoutMs] = [2, 50, 300];
      const store = await startSlowStore(capacity, takesMs);
      const s3 = withStorageErrors(await createS3Storage({ url: store.url, timeoutMs }));
      onTestFinished(() => s3.close());
      const storage = paceStorage(s3, {
        fastMs: timeoutMs / 5,
        timeoutMs: 2 * timeoutMs,
        coolDownMs: 10,
      });
      let stored = 0;
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: 40 }, async (_, caller) => {
          for (let object = 0; object < 5;) {
            try {
              await storage.put(`renders/${caller}/${object}.png`, Buffer.from("x"), png);
              stored++;
              object++;
            } catch (error) {
              if (!(error instanceof StorageError)) throw error;
              await storage.untilUsable(AbortSignal.timeout(30_000));
            }
          }
        }),
      );
      expect(stored).toBe(200);
      // Share of the store's operations whose result was still needed.
      expect(stored / store.served()).toBeGreaterThan(0.8);
      // The store was never idle.
      const possibleMs = (performance.now() - startedAt) * capacity;
      expect(store.busyMs() / possibleMs).toBeGreaterThan(0.8);
    },
  );

  test("opens the circuit after five consecutive failures and recovers when the store is back", async () => {
    const store = await startSlowStore(10, 0);
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
    const store = await startSlowStore(10, 0);
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
