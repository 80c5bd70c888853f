import { applyMigrations, createDatabase, newId, type Database } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  startCrashingPostgres,
  templateName,
  type CrashingPostgres,
} from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startEventFeed } from "./event-feed.ts";
import { accountEvents, recordEvents } from "./outbox.ts";
import { readAccountEvents } from "./read-events.ts";

// The first start creates a cluster.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describe("while the database server is interrupted,", () => {
  let server: CrashingPostgres;
  let database: Database;
  const accountId = newId();

  beforeAll(async () => {
    server = await startCrashingPostgres();
    await createDatabaseFromTemplate(server.url("postgres"), templateName, "template0");
    await applyMigrations(server.url(templateName));
    database = createDatabase({
      url: server.url(templateName),
      poolSize: 1,
      applicationName: "test",
      onConnectionError: () => undefined,
    });
  });

  afterAll(async () => {
    await database.close();
    await server.close();
  });

  /** Writes an event and returns its id. */
  async function write(): Promise<bigint> {
    const [event] = await database.query<{ id: bigint }>(
      `WITH ${recordEvents(
        "SELECT $1::uuid AS account_id, NULL::uuid AS generation_id, 'account.balance_low' AS type, '{}' AS data",
        accountEvents,
      )} SELECT id FROM recorded_event`,
      [accountId],
    );
    return event?.id ?? 0n;
  }

  /** Kills the server, starts it again, and replaces broken connections. */
  async function restart(): Promise<void> {
    await server.crash();
    await untilConnected();
  }

  /** Kills a backend, after which the server ends all others and recovers, as after a crash. */
  async function crashBackend(): Promise<void> {
    const [backend] = await database.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    process.kill(backend?.pid ?? 0, "SIGKILL");
    await untilConnected();
  }

  async function untilConnected(): Promise<void> {
    const isConnected = () =>
      database.query("SELECT").then(
        () => true,
        () => false,
      );
    await vi.waitUntil(isConnected, { timeout: 30_000 });
  }

  it.each([
    ["a restart", restart],
    ["a crash of a backend", crashBackend],
  ])(
    "%s ends streams, although no read failed, and a replay has every event",
    { tags: "full" },
    async (_name, interrupt) => {
      const delivered: bigint[] = [];
      let gapCount = 0;
      const feed = startEventFeed(database, {
        // No read while the server is unavailable.
        intervalMs: 3_600_000,
        limit: 100,
        accountIds: () => [accountId],
        onEvents: (events) => {
          for (const { id } of events) delivered.push(id);
          return Promise.resolve();
        },
        onLost: () => void gapCount++,
        onError: (error) => expect.unreachable(String(error)),
      });
      await feed.sync();
      const first = await write();
      await feed.sync();
      expect(delivered).toEqual([first]);

      const unread = await write();
      await interrupt();
      const afterRestart = await write();
      await feed.sync();
      expect(gapCount).toBe(1);
      const replay = await readAccountEvents(database, { accountId, afterId: first, limit: 10 });
      expect(replay.map(({ id }) => id)).toEqual([unread, afterRestart]);

      const next = await write();
      await feed.sync();
      await feed.close();
      expect(delivered).toEqual([first, next]);
      expect(gapCount).toBe(1);
    },
  );
});
