import { createDatabase } from "@atelier/database";
import { watchLaneHealth, watchLaneLoad } from "@atelier/generations/claims";
import { createTestDatabase } from "@atelier/local-services";
import { createLogger } from "@atelier/telemetry";
import { countStatements, endSharedStacks, statementsPerSecond } from "@atelier/testing";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { startBatches } from "../src/batches/start-batches.ts";
import type { ApiDependencies } from "../src/dependencies.ts";

it("an idle API sends less than one statement in two seconds, besides those of its queue", async () => {
  await endSharedStacks();
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  const counting = countStatements(database);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const watching = {
    intervalMs: 1_000,
    onError: (error: unknown) => expect.unreachable(String(error)),
  };
  const loops = [
    startBatches({
      database: counting.database,
      logger: createLogger("test", "silent"),
    } as ApiDependencies),
  ];
  const watches = [
    watchLaneHealth(counting.database, watching),
    watchLaneLoad(counting.database, watching),
  ];
  expect(await statementsPerSecond(counting)).toBeLessThan(0.5);
  vi.useRealTimers();
  await Promise.all([...loops.map((loop) => loop.stop()), ...watches.map((one) => one.close())]);
});
