import { afterAll, beforeAll, expect, it } from "vitest";
import { findCostly } from "./support/costly-statements.ts";
import { startWithHistory, useService, type ServiceWithHistory } from "./support/history-reads.ts";

let service: ServiceWithHistory;

beforeAll(async () => {
  service = await startWithHistory(5_000);
});

afterAll(() => service.stop());

it("reads few more rows than it returns for an account with 5,000 jobs", async () => {
  const since = await service.postgres.position();
  await useService(service);
  const statements = await service.postgres.readStatements(since);
  expect(new Set(statements.map(({ text }) => text)).size).toBeGreaterThan(100);
  expect(findCostly(statements)).toEqual([]);
});
