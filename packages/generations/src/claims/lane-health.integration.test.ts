import { newId, type Database, type Listener } from "@atelier/database";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { openFixture, type Fixture } from "../testing/fixture.ts";
import { laneHealthChannel, watchLaneHealth, type LaneHealth } from "./lane-health.ts";

let fixture: Fixture;
let listener: Listener;
const watching: LaneHealth[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  listener = await fixture.database.listen({
    [laneHealthChannel]: () => watching.forEach((health) => health.refresh()),
  });
});
afterEach(async () => {
  await Promise.all(watching.splice(0).map((health) => health.close()));
});
afterAll(async () => {
  await listener.close();
  await fixture.close();
});

/** Opens the lane health as another process would. */
function watch(database: Database = fixture.database): LaneHealth {
  const health = watchLaneHealth(database, {
    intervalMs: 20,
    onError: (error) => {
      throw error;
    },
  });
  watching.push(health);
  return health;
}

function fail(health: LaneHealth, lane: string, renderId = newId(), coolDownMs = 600_000) {
  const limits = { failures: 3, coolDownMs };
  return health.recordFailure({ lane, renderId, reason: "status 503", limits, callMs: 0 });
}

/** Longer than any test: a call of this duration started before the test. */
const olderCallMs = 3_600_000;

/** Shorter than the interval of the reads while all lanes are healthy: a notification comes first. */
const untilKnown = (health: LaneHealth, lane: string, kind: string) =>
  vi.waitUntil(() => health.stateOf(lane).kind === kind, { timeout: 8_000 });

it("opens after consecutive failures, for all processes", async () => {
  const lane = newId();
  const [worker, api] = [watch(), watch()];
  await fail(worker, lane);
  await fail(worker, lane);
  expect(worker.stateOf(lane)).toEqual({ kind: "closed" });
  expect(await worker.permitCall(lane, 1_000)).toBeNull();
  await fail(worker, lane);
  expect(worker.stateOf(lane).kind).toBe("open");
  await untilKnown(api, lane, "open");
  expect(await api.permitCall(lane, 1_000)).toBeGreaterThan(500_000);
});

it("counts repeated failures of one render once", async () => {
  const lane = newId();
  const health = watch();
  const renderId = newId();
  for (let tries = 0; tries < 5; tries++) await fail(health, lane, renderId);
  expect(health.stateOf(lane)).toEqual({ kind: "closed" });
});

it("resets the count after a response to any process", async () => {
  const lane = newId();
  const [one, other] = [watch(), watch()];
  await fail(one, lane);
  await fail(one, lane);
  await vi.waitUntil(
    async () => {
      await other.recordAnswer(lane, olderCallMs);
      const rows = await fixture.database.query("SELECT 1 FROM lane_health WHERE lane = $1", [
        lane,
      ]);
      return rows.length === 0;
    },
    { timeout: 20_000 },
  );
  await fail(one, lane);
  await fail(one, lane);
  expect(one.stateOf(lane)).toEqual({ kind: "closed" });
});

it("allows one probe after its pause and closes when it succeeds", async () => {
  const lane = newId();
  const [one, other] = [watch(), watch()];
  for (let count = 0; count < 3; count++) await fail(one, lane, newId(), 0);
  await Promise.all([one, other].map((health) => untilKnown(health, lane, "half-open")));
  const admitted = await Promise.all([
    one.permitCall(lane, 600_000),
    other.permitCall(lane, 600_000),
  ]);
  expect(admitted.filter((waitMs) => waitMs === null)).toHaveLength(1);
  await one.recordAnswer(lane, 0);
  await untilKnown(other, lane, "closed");
  expect(await other.permitCall(lane, 1_000)).toBeNull();
});

it("reopens at once when the probe fails", async () => {
  const lane = newId();
  const health = watch();
  const renderId = newId();
  for (let count = 0; count < 3; count++) await fail(health, lane, newId(), 0);
  expect(await health.permitCall(lane, 0)).toBeNull();
  await fail(health, lane, renderId);
  expect(health.stateOf(lane).kind).toBe("open");
});

it("ignores the result of a call that started before it opened", async () => {
  const lane = newId();
  const health = watch();
  for (let count = 0; count < 3; count++) await fail(health, lane);
  await health.recordAnswer(lane, olderCallMs);
  await health.recordFailure({
    lane,
    renderId: newId(),
    reason: "status 503",
    limits: { failures: 3, coolDownMs: 1_000 },
    callMs: olderCallMs,
  });
  expect(await health.permitCall(lane, 1_000)).toBeGreaterThan(500_000);
  await health.recordAnswer(lane, 0);
  expect(health.stateOf(lane)).toEqual({ kind: "closed" });
});

it("keeps the longer pause when a later call fails", async () => {
  const lane = newId();
  const health = watch();
  const limits = { failures: 1, coolDownMs: 3_600_000 };
  const failure = { lane, renderId: newId(), reason: "status 503" };
  await health.recordFailure({ ...failure, limits, callMs: 0 });
  // Reported by a process that has not yet read that the lane is open.
  await fail(health, lane, newId(), 30_000);
  expect(await health.permitCall(lane, 1_000)).toBeGreaterThan(3_000_000);
});

it("allows another probe when the first one was lost, without a longer pause", async () => {
  const lane = newId();
  const health = watch();
  for (let count = 0; count < 3; count++) await fail(health, lane, newId(), 0);
  expect(await health.permitCall(lane, 600_000)).toBeNull();
  expect(await health.permitCall(lane, 600_000)).toBeGreaterThan(500_000);
  await fail(health, lane, newId(), 30_000);
  expect(await health.permitCall(lane, 600_000)).toBeLessThanOrEqual(30_000);
});

it("runs no query for a healthy lane", async () => {
  const statements: string[] = [];
  const counting: Database = {
    ...fixture.database,
    query: (text, values) => {
      statements.push(text);
      return fixture.database.query(text, values);
    },
  };
  const health = watch(counting);
  await vi.waitUntil(() => statements.length > 0, { timeout: 20_000 });
  await health.close();
  const before = statements.length;
  expect(await health.permitCall("well", 1_000)).toBeNull();
  await health.recordAnswer("well", 0);
  expect(statements).toHaveLength(before);
});
