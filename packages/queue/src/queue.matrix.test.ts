import { randomUUID } from "node:crypto";
import { priorityInBatch } from "@atelier/generations/batches";
import { createTestDatabase, startTcpProxy } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { emptyQueues } from "./empty-queues.ts";
import { createQueues, type Queues } from "./queues.ts";
import { serveLane, type LaneOptions, type RenderVerdict } from "./serve-lane.ts";

interface Store {
  readonly url: string;
  drop(): Promise<void>;
}

const redisUrl = inject("redisUrl");
const postgres = {
  name: "Postgres",
  isMissing: false,
  setUp: () => createTestDatabase(inject("postgresUrl")),
};
const redis = {
  name: "Redis",
  isMissing: redisUrl === null,
  setUp: async () => ({ url: redisUrl ?? "", drop: async () => undefined }),
};

for (const store of inject("combinations") === "first" ? [postgres] : [redis]) {
  describe.skipIf(store.isMissing)("with a store", () => {
    describeQueue(store.name, store.setUp);
  });
}

it("opening fails when the store is unreachable or refuses the credentials", async () => {
  const open = (url: string) => createQueues({ url, lanes: ["none"], onError: () => undefined });
  await expect(open("redis://127.0.0.1:1")).rejects.toThrow("connect ECONNREFUSED 127.0.0.1:1");
  await expect(open("postgres://127.0.0.1:1")).rejects.toThrow("connect ECONNREFUSED 127.0.0.1:1");
  if (redisUrl === null) return;
  const { host } = new URL(redisUrl);
  await expect(open(`redis://unknown:hushed@${host}`)).rejects.toThrow("WRONGPASS");
});

/** The contract of every queue store. */
function describeQueue(name: string, setUp: () => Promise<Store>): void {
  describe(`queue on ${name}`, () => {
    // A lane of its own, since a Redis is shared with other test files.
    const lane = `test-${randomUUID()}`;
    const errors: Error[] = [];
    const onError = (error: Error) => void errors.push(error);
    let store: Store;
    let queues: Queues;

    beforeAll(async () => {
      store = await setUp();
      queues = await createQueues({ url: store.url, lanes: [lane], onError });
    });

    it("empties all queues of this installation and no others, so that renders can be added again", async () => {
      // Other test files share the Redis, so this installation has a prefix of its own.
      const url = new URL(store.url);
      if (url.protocol === "redis:") url.searchParams.set("prefix", randomUUID());
      const own = await createQueues({ url: url.href, lanes: [lane], onError });
      const render = { renderId: randomUUID(), lane, priority: 1 };
      const other = { renderId: randomUUID(), lane, priority: 1 };
      await own.dispatch([render]);
      if (url.protocol === "redis:") await queues.dispatch([other]);
      await emptyQueues(url.href);
      await emptyQueues(url.href);
      const [queue] = own.bullQueues;
      expect(await queue?.getJob(render.renderId)).toBeUndefined();
      if (url.protocol === "redis:") {
        expect(await queues.bullQueues[0]?.getJob(other.renderId)).toBeDefined();
        await queues.bullQueues[0]?.remove(other.renderId);
      }
      await own.dispatch([render]);
      expect(await queue?.getJob(render.renderId)).toBeDefined();
      await queue?.obliterate({ force: true });
      await own.close();
    });

    afterAll(async () => {
      await Promise.all(queues.bullQueues.map((queue) => queue.obliterate({ force: true })));
      await queues.close();
      const reported = [...errors];
      // Ends connections whose end Postgres has not read yet, which then report that.
      await store.drop();
      expect(reported).toEqual([]);
    });

    /** Processes the lane until `count` attempts have ended; returns the renders in order of arrival. */
    async function work(
      count: number,
      render: (renderId: string, attempt: number, isInBatch: boolean) => Promise<RenderVerdict>,
      options: Partial<LaneOptions> = {},
    ): Promise<string[]> {
      const order: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const served = await serveLane({
        url: store.url,
        lane,
        concurrency: 1,
        rateLimit: null,
        lockMs: 10_000,
        onError,
        ...options,
        async render(renderId, isInBatch) {
          order.push(renderId);
          const verdict = await render(renderId, order.length, isInBatch);
          if (order.length === count) resolve();
          return verdict;
        },
      });
      await promise;
      await served.drain();
      return order;
    }

    const done = async (): Promise<RenderVerdict> => ({ kind: "done" });

    it("delivers each render once, lowest priority value first", async () => {
      const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
      await queues.dispatch([
        { renderId: third, lane, priority: 9 },
        { renderId: second, lane, priority: 2 },
      ]);
      await queues.dispatch([
        { renderId: first, lane, priority: 1 },
        { renderId: second, lane, priority: 2 },
      ]);
      expect(await queues.counts(lane)).toEqual({ waiting: 3, active: 0 });
      expect(await work(3, done)).toEqual([first, second, third]);
    });

    it("lowers the priority value of a waiting job and never raises it", async () => {
      const [older, younger] = [randomUUID(), randomUUID()];
      await queues.dispatch([
        { renderId: older, lane, priority: 9 },
        { renderId: younger, lane, priority: 5 },
      ]);
      expect(await queues.ensureDispatched({ renderId: older, lane, priority: 2 })).toBe(false);
      expect(await queues.ensureDispatched({ renderId: older, lane, priority: 7 })).toBe(false);
      expect(await work(2, done)).toEqual([older, younger]);
    });

    it("moves a job of a long line only when it has half as many before it", async () => {
      const [older, younger] = [randomUUID(), randomUUID()];
      await queues.dispatch([
        { renderId: older, lane, priority: 40 },
        { renderId: younger, lane, priority: 30 },
      ]);
      const order = async () => {
        const jobs = await Promise.all(queues.bullQueues.map((queue) => queue.getPrioritized()));
        return jobs.flat().map(({ id }) => id);
      };
      await queues.ensureDispatched({ renderId: older, lane, priority: 25 });
      expect(await order()).toEqual([younger, older]);
      await queues.ensureDispatched({ renderId: older, lane, priority: 20 });
      expect(await order()).toEqual([older, younger]);
      expect(await work(2, done)).toEqual([older, younger]);
    });

    it("retries after the delay of the verdict", async () => {
      const renderId = randomUUID();
      await queues.dispatch([{ renderId, lane, priority: 1 }]);
      const times: number[] = [];
      await work(2, async (_id, attempt) => {
        times.push(performance.now());
        return attempt === 1 ? { kind: "retry", reason: "busy", delayMs: 300 } : { kind: "done" };
      });
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(250);
    });

    it("retries after an internal error", async () => {
      const renderId = randomUUID();
      await queues.dispatch([{ renderId, lane, priority: 1 }]);
      const order = await work(2, async (_id, attempt) => {
        if (attempt === 1) throw new Error("the database is unavailable");
        return { kind: "done" };
      });
      expect(order).toEqual([renderId, renderId]);
    });

    it("starts no render of a paused lane", async () => {
      const renders = [randomUUID(), randomUUID()];
      await queues.dispatch(renders.map((renderId) => ({ renderId, lane, priority: 1 })));
      const times: number[] = [];
      await work(3, async (_id, attempt) => {
        times.push(performance.now());
        return attempt === 1
          ? { kind: "pause-lane", reason: "busy", pauseMs: 400 }
          : { kind: "done" };
      });
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(350);
    });

    it("keeps the longest of several pauses", async () => {
      const renders = [randomUUID(), randomUUID()];
      await queues.dispatch(renders.map((renderId) => ({ renderId, lane, priority: 1 })));
      const queue = queues.bullQueues.find((bull) => bull.name === lane);
      const times: number[] = [];
      const render = async (_id: string, attempt: number): Promise<RenderVerdict> => {
        times.push(performance.now());
        if (attempt === 1) return { kind: "pause-lane", reason: "busy", pauseMs: 2_500 };
        if (attempt > 2) return { kind: "done" };
        await vi.waitUntil(async () => ((await queue?.getRateLimitTtl()) ?? 0) > 1_000);
        return { kind: "pause-lane", reason: "busy", pauseMs: 50 };
      };
      await work(4, render, { concurrency: 2 });
      expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_400);
    });

    it("enforces the lane's rate limit across workers, also after a pause", async () => {
      // A separate lane, since the renders that the limit delays would block other tests.
      const limited = `test-${randomUUID()}`;
      const own = await createQueues({ url: store.url, lanes: [limited], onError });
      const renders = Array.from({ length: 5 }, () => ({
        renderId: randomUUID(),
        lane: limited,
        priority: 1,
      }));
      await own.dispatch(renders);
      let started = 0;
      const options: LaneOptions = {
        url: store.url,
        lane: limited,
        concurrency: 2,
        rateLimit: { max: 3, durationMs: 600_000 },
        lockMs: 10_000,
        onError,
        async render() {
          started++;
          return started === 3
            ? { kind: "pause-lane", reason: "busy", pauseMs: 10 }
            : { kind: "done" };
        },
      };
      const workers = await Promise.all([serveLane(options), serveLane(options)]);
      const [queue] = own.bullQueues;
      const isPaused = async () => started >= 3 && (await own.counts(limited)).active === 0;
      await vi.waitUntil(isPaused, { timeout: 25_000 });
      expect(await queue?.getRateLimitTtl(3)).toBeGreaterThan(500_000);
      await Promise.all(workers.map((worker) => worker.drain()));
      expect(started).toBe(3);
      expect(await own.counts(limited)).toEqual({ waiting: 3, active: 0 });
      await queue?.obliterate({ force: true });
      await own.close();
    });

    it("tells renders of batches, and whether any job waits", async () => {
      const [inBatch, single] = [randomUUID(), randomUUID()];
      expect(await queues.hasWaiting(lane)).toBe(false);
      await queues.dispatch([
        { renderId: inBatch, lane, priority: priorityInBatch + 1 },
        { renderId: single, lane, priority: 1 },
      ]);
      expect(await queues.hasWaiting(lane)).toBe(true);
      const told = new Map<string, boolean>();
      await work(2, async (renderId, _attempt, isInBatch) => {
        told.set(renderId, isInBatch);
        return { kind: "done" };
      });
      expect(Object.fromEntries(told)).toEqual({ [inBatch]: true, [single]: false });
    });

    it("re-adds a job whose record has ended and keeps a waiting one", async () => {
      const render = { renderId: randomUUID(), lane, priority: 1 };
      expect(await queues.ensureDispatched(render)).toBe(true);
      expect(await queues.ensureDispatched(render)).toBe(false);
      const first = await work(1, async () => ({ kind: "failed", reason: "refused \u202e\n" }));
      const [bullQueue] = queues.bullQueues.filter((queue) => queue.name.includes(lane));
      const [failed] = (await bullQueue?.getFailed()) ?? [];
      // Bull Board shows it.
      expect(failed?.failedReason).toBe(String.raw`refused \u202e\u000a`);
      expect(first).toEqual([render.renderId]);
      expect(await queues.ensureDispatched(render)).toBe(true);
      expect(await work(1, done)).toEqual([render.renderId]);
    });

    it("reconnects when its connections stop answering", async () => {
      const proxy = await startTcpProxy(store.url);
      const proxiedLane = `test-${randomUUID()}`;
      const proxiedOptions = { url: proxy.url, silentMs: 1_000, onError: () => undefined };
      const sender = await createQueues({ ...proxiedOptions, lanes: [proxiedLane] });
      const renders = [randomUUID(), randomUUID()];
      const [first, second] = renders.map((renderId) => ({
        renderId,
        lane: proxiedLane,
        priority: 1,
      }));
      const started: string[] = [];
      const verdict = Promise.withResolvers<RenderVerdict>();
      const served = await serveLane({
        ...proxiedOptions,
        lane: proxiedLane,
        concurrency: 1,
        rateLimit: null,
        lockMs: 10_000,
        async render(renderId) {
          started.push(renderId);
          return started.length === 1 ? verdict.promise : done();
        },
      });
      const dispatched = (render: typeof first) =>
        sender.dispatch(render === undefined ? [] : [render]).then(
          () => true,
          () => false,
        );
      await vi.waitUntil(() => dispatched(first), { timeout: 10_000 });
      await vi.waitUntil(() => started.length === 1, { timeout: 10_000 });

      const frozen = proxy.freezeConnections();
      verdict.resolve({ kind: "done" });
      await vi.waitUntil(() => dispatched(second), { timeout: 10_000 });
      await vi.waitUntil(() => started.length === 2, { timeout: 10_000 });
      expect(started).toEqual(renders);

      // The kernel closes idle connections to hosts that disappeared.
      frozen.end();
      await served.drain();
      await Promise.all(sender.bullQueues.map((queue) => queue.obliterate({ force: true })));
      await sender.close();
      await proxy.stop();
    });

    it("removes a waiting job", async () => {
      const render = { renderId: randomUUID(), lane, priority: 1 };
      await queues.dispatch([render]);
      await queues.remove(render);
      expect(await queues.ensureDispatched(render)).toBe(true);
      await queues.remove(render);
    });
  });
}
