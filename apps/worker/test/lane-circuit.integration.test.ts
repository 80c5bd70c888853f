import { createDatabase, newId } from "@atelier/database";
import { watchLaneHealth, type Claim } from "@atelier/generations/claims";
import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it, onTestFinished } from "vitest";
import type { RenderDependencies } from "../src/dependencies.ts";
import { countOutcome, enterLane } from "../src/lanes/lane-circuit.ts";

/** Opens the health of lanes in a database of its own. */
async function openHealth() {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const { url } = testDatabase;
  const database = createDatabase({ url, poolSize: 2, applicationName: "test" });
  const onError = (error: unknown) => {
    throw error;
  };
  const laneHealth = watchLaneHealth(database, { intervalMs: 60_000, onError });
  onTestFinished(async () => {
    await laneHealth.close();
    await database.close();
    await testDatabase.drop();
  });
  return { database, laneHealth };
}

const lane = "slow-provider";

it("stays closed when the machine was too busy for a call", async () => {
  const { laneHealth } = await openHealth();
  const breaker = { failures: 1, coolDownMs: 60_000 };
  const dependencies = { laneHealth, lanes: new Map([[lane, { timeoutMs: 600_000, breaker }]]) };
  const count = (isMachineBusy: boolean) =>
    countOutcome(
      { lane, renderId: newId() } as Claim,
      { kind: "unavailable", message: "busy", retryAfterMs: null, isMachineBusy },
      { server: null, durationMs: 0 },
      new AbortController().signal,
      dependencies as unknown as RenderDependencies,
    );
  await count(true);
  expect(laneHealth.stateOf(lane)).toMatchObject({ kind: "closed" });
  await count(false);
  expect(laneHealth.stateOf(lane)).toMatchObject({ kind: "open" });
});

it("delays the next probe by at most 10 s", async () => {
  const { database, laneHealth } = await openHealth();
  const limits = { failures: 1, coolDownMs: 0 };
  const failure = { lane, renderId: newId(), reason: "status 503", limits, callMs: 0 };
  await laneHealth.recordFailure(failure);
  const dependencies = { laneHealth, lanes: new Map([[lane, { timeoutMs: 600_000 }]]) };
  const enter = () => enterLane({ lane } as Claim, dependencies as unknown as RenderDependencies);
  await enter();
  await expect(enter()).rejects.toMatchObject({ error: { code: "provider_unavailable" } });

  // The worker that made the probe has died, and its timeout has passed.
  await database.query("UPDATE lane_health SET probe_until = probe_until - interval '10 s'");
  await expect(enter()).resolves.toBeUndefined();
});
