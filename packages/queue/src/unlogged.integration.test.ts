import { randomUUID } from "node:crypto";
import {
  createTestDatabase,
  startCrashingPostgres,
  type CrashingPostgres,
} from "@atelier/local-services";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { prepareStore } from "./backend.ts";
import { createQueues } from "./queues.ts";
import { serveLane } from "./serve-lane.ts";

// The first start creates a cluster.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const lane = "test";
const onError = () => undefined;

async function openTestDatabase() {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const client = new pg.Client(testDatabase.url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await testDatabase.drop();
  });
  const persistence = async () => {
    const { rows } = await client.query<{ name: string; persistence: string }>(
      `SELECT relname AS name, relpersistence AS persistence FROM pg_class
        WHERE relnamespace = 'bullmq'::regnamespace AND relname IN ('job', 'event', 'job_log', 'meta')`,
    );
    return Object.fromEntries(rows.map((row) => [row.name, row.persistence]));
  };
  return { url: testDatabase.url, client, persistence };
}

const unlogged = { job: "u", event: "u", job_log: "u", meta: "p" };

describe("the queue in Postgres", () => {
  it("writes no WAL for jobs", async () => {
    const { url, persistence } = await openTestDatabase();
    await prepareStore(url);
    expect(await persistence()).toEqual(unlogged);
  });

  it("of an earlier version keeps its jobs, while several processes start", async () => {
    const { url, client, persistence } = await openTestDatabase();
    await prepareStore(url);
    // As an earlier version created them.
    for (const table of ["job", "event", "rate_limit", "job_dependency", "job_log"]) {
      await client.query(`ALTER TABLE bullmq.${table} SET LOGGED`);
    }
    const renderId = randomUUID();
    const earlier = await createQueuesOf(url);
    await earlier.dispatch([{ renderId, lane, priority: 1 }]);
    await Promise.all([prepareStore(url), prepareStore(url), prepareStore(url)]);
    expect(await persistence()).toEqual(unlogged);
    expect(await earlier.counts(lane)).toEqual({ waiting: 1, active: 0 });
  });

  it("stays logged while another transaction has read it, such as a backup", async () => {
    const { url, client, persistence } = await openTestDatabase();
    await prepareStore(url);
    await client.query("ALTER TABLE bullmq.job SET LOGGED");
    await client.query("BEGIN");
    await client.query("SELECT count(*) FROM bullmq.job");
    await prepareStore(url);
    await client.query("COMMIT");
    expect((await persistence())["job"]).toBe("p");
    await prepareStore(url);
    expect(await persistence()).toEqual(unlogged);
  });

  async function createQueuesOf(url: string) {
    const queues = await createQueues({ url, lanes: [lane], onError });
    onTestFinished(() => queues.close());
    return queues;
  }
});

describe("after a crash of Postgres, the queue in it", () => {
  let server: CrashingPostgres;

  beforeAll(async () => {
    server = await startCrashingPostgres();
  });

  afterAll(() => server.close());

  it("is empty, takes the renders again, and is served by the workers that were connected", async () => {
    const url = server.url("postgres");
    const rendered: string[] = [];
    const queues = await createQueues({ url, lanes: [lane], onError });
    const [running, waiting, later] = [randomUUID(), randomUUID(), randomUUID()];
    const dispatch = (renderId: string) => ({ renderId, lane, priority: 1 });
    const { promise: crashed, resolve: goOn } = Promise.withResolvers<void>();
    const served = await serveLane({
      url,
      lane,
      concurrency: 1,
      rateLimit: null,
      lockMs: 5_000,
      onError,
      async render(renderId) {
        rendered.push(renderId);
        await crashed;
        return { kind: "done" };
      },
    });
    await queues.dispatch([dispatch(running)]);
    await vi.waitUntil(() => rendered.length === 1, { timeout: 30_000 });
    await queues.dispatch([dispatch(waiting)]);
    await server.crash();
    const add = (renderId: string) => queues.ensureDispatched(dispatch(renderId));
    const isAdded = () =>
      add(later).then(
        () => true,
        () => false,
      );
    await vi.waitUntil(isAdded, { timeout: 30_000 });
    // As recovery does.
    expect(await add(waiting)).toBe(true);
    goOn();
    await vi.waitUntil(() => rendered.length === 3, { timeout: 30_000 });
    expect(new Set(rendered)).toEqual(new Set([running, waiting, later]));
    await served.drain();
    await queues.close();
  });
});
