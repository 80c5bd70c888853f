import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { createClient } from "./support/client.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: { MAX_UNFINISHED_JOBS: "1000" },
  });
});

afterAll(() => stack.stop());

it("serves a neighbour while 200 requests of an account wait for its row, and accepts them after", async () => {
  const [busy, neighbour] = [await createClient(stack, "100"), await createClient(stack)];
  await neighbour.accept();
  const { database } = stack;
  const { accepting, timesMs } = await database.transaction(async (sql) => {
    await sql.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [busy.account.accountId]);
    const requests = Array.from({ length: 200 }, () => busy.accept());
    const isBlocked = async () => {
      const blocked = await database.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return blocked.length >= 6;
    };
    await vi.waitUntil(isBlocked, { timeout: 5_000, interval: 20 });
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const startedAt = performance.now();
      await neighbour.read(await neighbour.accept());
      times.push(performance.now() - startedAt);
    }
    return { accepting: requests, timesMs: times };
  });
  expect(Math.min(...timesMs)).toBeLessThan(1_000);
  expect(new Set(await Promise.all(accepting)).size).toBe(200);
});
