import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { createAccount, createKey, revokeKey, type StreamRight } from "@atelier/accounts";
import { setImmediate } from "node:timers/promises";
import { createDatabase, newId, type Database } from "@atelier/database";
import { accountEvents, recordEvents } from "@atelier/events";
import { createTestDatabase } from "@atelier/local-services";
import { fillHistory } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { createEventStreams, type EventStreams } from "./event-streams.ts";
import { presentEvents } from "./present-events.ts";

const pepper = "a secret that is only for tests and long enough";

describe("event streams of a process", () => {
  let database: Database;
  let streams: EventStreams;
  const counts: number[] = [];
  const cleanUps: (() => unknown)[] = [];

  beforeAll(async () => {
    const testDatabase = await createTestDatabase(inject("postgresUrl"));
    database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
    streams = createEventStreams(database, {
      maxStreams: 2,
      maxStreamsPerAccount: 2,
      heartbeatMs: 100,
      studioHeartbeatMs: 20,
      sign: () => expect.unreachable(),
      onCount: (count) => void counts.push(count),
      onError: (error) => expect.unreachable(String(error)),
    });
    cleanUps.push(
      () => streams.close(),
      () => database.close(),
      () => testDatabase.drop(),
    );
  });

  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  async function makeKey() {
    const accountId = await createAccount(database, { name: "test" });
    const { id } = await createKey(database, { accountId, name: "test", pepper });
    const right: StreamRight = { keyId: id, secretHashes: null, sessionId: null, needsRead: true };
    return {
      accountId,
      keyId: null,
      mode: null,
      quotaMode: "live" as const,
      right,
      generationId: null,
    };
  }

  /** Serves the stream of a target and connects to it without reading. */
  async function openFor(target: Awaited<ReturnType<typeof makeKey>>) {
    const server = createServer((_request, response) => {
      const stream = streams.open(target);
      stream.begin(response);
      stream.goLive();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanUps.unshift(() => server.close());
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(client, "readable");
    return client;
  }

  it("send heartbeats, and end once their key is revoked", async () => {
    const target = await makeKey();
    const client = await openFor(target);
    let received = "";
    client.on("data", (chunk) => (received += String(chunk)));
    while (!received.includes(": heartbeat\n\n")) await once(client, "data");
    await revokeKey(database, target.right.keyId);
    await once(client, "end");
    expect(counts.at(-1)).toBe(0);
  });

  it("send heartbeats more often to sessions of Studio", async () => {
    const target = await makeKey();
    const [session] = await database.query<{ id: string }>(
      `INSERT INTO studio_session (id, account_id, key_id, expires_at)
       VALUES (gen_random_uuid(), $1, $2, now() + interval '1 hour') RETURNING id`,
      [target.accountId, target.right.keyId],
    );
    const right = { ...target.right, sessionId: session?.id ?? null };
    const begin = performance.now();
    const clients = [await openFor({ ...target, right }), await openFor(target)];
    const [ofStudio = 0, ofKey = 0] = await Promise.all(
      clients.map(async (client) => {
        let received = "";
        client.on("data", (chunk) => (received += String(chunk)));
        await once(client, "data");
        while (received.split(": heartbeat").length <= 3) await once(client, "data");
        client.destroy();
        return performance.now() - begin;
      }),
    );
    // Three idle intervals of each, at 90 % of them.
    expect(ofKey).toBeGreaterThan(3 * 90);
    expect(ofStudio).toBeLessThan(ofKey);
    await vi.waitUntil(() => counts.at(-1) === 0);
  });

  it.each([
    ["their key loses the scope read", "UPDATE api_key SET scopes = '{generate}' WHERE id = $1"],
    [
      "the secret of their request is replaced",
      "UPDATE api_key SET hash = previous_hash, previous_hash = NULL WHERE id = $1",
    ],
    ["their session is ended", "DELETE FROM studio_session WHERE key_id = $1"],
  ])("end once %s", async (_, change) => {
    const { accountId, right, ...target } = await makeKey();
    const { keyId } = right;
    const [key] = await database.query<{ hash: Uint8Array }>(
      "UPDATE api_key SET previous_hash = decode('01', 'hex') WHERE id = $1 RETURNING hash",
      [keyId],
    );
    const [session] = await database.query<{ id: string }>(
      `INSERT INTO studio_session (id, account_id, key_id, expires_at)
       VALUES (gen_random_uuid(), $1, $2, now() + interval '1 hour') RETURNING id`,
      [accountId, keyId],
    );
    const credential = {
      secretHashes: key?.hash === undefined ? null : [key.hash],
      sessionId: session?.id ?? null,
    };
    const client = await openFor({ accountId, ...target, right: { ...right, ...credential } });
    let received = "";
    client.on("data", (chunk) => (received += String(chunk)));
    while (!received.includes(": heartbeat\n\n")) await once(client, "data");
    await database.query(change, [keyId]);
    await once(client, "end");
    expect(counts.at(-1)).toBe(0);
    await database.query("UPDATE api_key SET previous_hash = NULL WHERE id = $1", [keyId]);
  });

  it("disconnect a client that does not read", async () => {
    const target = await makeKey();
    const client = await openFor(target);
    client.pause();
    const large = JSON.stringify({ text: "x".repeat(500_000) });
    const write = async () => {
      await database.query(
        `WITH ${recordEvents(
          `SELECT $1::uuid AS account_id, NULL::uuid AS generation_id, 'account.balance_low' AS type,
                  $2 AS data FROM generate_series(1, 10)`,
          accountEvents,
        )} SELECT`,
        [target.accountId, large],
      );
      await streams.sync();
      return counts.at(-1) === 0;
    };
    await vi.waitUntil(write, { interval: 0, timeout: 30_000 });
    expect(counts.at(-1)).toBe(0);
    client.destroy();
  });

  it("are refused beyond the limit of the process", async () => {
    const [first, second, third] = [await makeKey(), await makeKey(), await makeKey()];
    const opened = [streams.open(first), streams.open(second)];
    expect(() => streams.open({ ...third, accountId: newId() })).toThrow(
      expect.objectContaining({ code: "overloaded" }),
    );
    for (const stream of opened) stream.end();
    expect(counts.at(-1)).toBe(0);
  });

  it("yield to other requests after each job of a replay", async () => {
    const jobs = 120;
    const [accountId = ""] = await fillHistory(database, { accounts: 1, generations: jobs });
    const generations = await database.query<{ id: string }>(
      "SELECT id FROM generation WHERE account_id = $1 ORDER BY id",
      [accountId],
    );
    const events = generations.flatMap(({ id }, index) =>
      (["job.updated", "job.completed"] as const).map((type, step) => ({
        id: BigInt(2 * index + step),
        type,
        accountId,
        generationId: id,
        data: null,
        createdAt: new Date(),
      })),
    );
    const ids: (bigint | null)[] = [];
    const presenting = (async () => {
      for await (const { frame } of presentEvents(events, database, () => expect.unreachable())) {
        ids.push(frame.id);
      }
      return "done" as const;
    })();
    // One job has two events; two jobs can fall into one turn of this loop.
    let longest = 0;
    for (let before = 0; ; before = ids.length) {
      if ((await Promise.race([presenting, setImmediate("turn" as const)])) === "done") break;
      longest = Math.max(longest, ids.length - before);
    }
    expect(longest).toBeLessThanOrEqual(4);
    expect(ids).toEqual(events.map(({ id }) => id));
  });
});
