import { parseConfig } from "@atelier/configuration";
import { watchLaneHealth } from "@atelier/generations/claims";
import {
  countStatements,
  endSharedStacks,
  startStack,
  statementsPerSecond,
  type Stack,
} from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { workerConfig } from "../src/config.ts";
import { openDependencies } from "../src/dependencies.ts";
import { startKeeping } from "../src/keeping/start-keeping.ts";
import { startBatchPlaces } from "../src/lanes/batch-places.ts";
import { startBackfills } from "../src/recovery/start-backfills.ts";
import { startRecovery } from "../src/recovery/start-recovery.ts";
import { startDropping } from "../src/webhooks/start-dropping.ts";
import { startWebhooks } from "../src/webhooks/start-webhooks.ts";

let stack: Stack;

beforeAll(async () => {
  await endSharedStacks();
  stack = await startStack({ postgresUrl: inject("postgresUrl"), workers: 0 });
  // Its loops would wait for the fake clock.
  await stack.api.stop();
});

afterAll(() => stack.stop());

it("an idle worker sends less than one statement in two seconds, besides those of its queue", async () => {
  const config = parseConfig(workerConfig, {
    ...stack.environment,
    CATALOGUE_FILE: "",
    PROVIDERS_FILE: "",
  });
  const dependencies = await openDependencies(config);
  onTestFinished(() => dependencies.close());
  // Another one is counted.
  await dependencies.laneHealth.close();
  const counting = countStatements(dependencies.database);
  const counted = { ...dependencies, database: counting.database };

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const loops = [
    startRecovery({ intervalMs: 2_000, unattendedAfterMs: 10_000 }, counted),
    startKeeping({ quotaBytes: 1_000_000 }, counted),
    startBackfills(counted),
    startWebhooks({
      ...counted,
      sign: (key, downloadName) =>
        dependencies.storage.sign(key, { expiresInSeconds: 60, downloadName }),
    }),
    startDropping(counted),
    startBatchPlaces([{ lane: "builtin", concurrency: 4 }], counted),
  ];
  const laneHealth = watchLaneHealth(counting.database, {
    intervalMs: 1_000,
    onError: (error) => expect.unreachable(String(error)),
  });
  expect(await statementsPerSecond(counting)).toBeLessThan(0.5);
  vi.useRealTimers();
  await Promise.all([laneHealth.close(), ...loops.map((loop) => loop.stop())]);
});
