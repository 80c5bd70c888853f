import { createDatabase } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it, onTestFinished } from "vitest";
import { periodEnd } from "./key-budget.ts";

it("ends a budget period at midnight UTC, also around daylight saving time", async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  const ends = await database.transaction(async (sql) => {
    await sql.query("SET LOCAL TimeZone = 'Europe/Berlin'");
    return sql.query<{ end: Date }>(
      `SELECT ${periodEnd("period", "at::timestamptz")} AS end
         FROM (VALUES ('month'::budget_period, '2026-03-10T12:00:00Z'), ('month', '2026-10-10T12:00:00Z'),
                      ('day', '2026-03-28T23:30:00Z'), ('day', '2026-03-29T12:00:00Z')) AS budget (period, at)`,
    );
  });
  expect(ends.map(({ end }) => end.toISOString())).toEqual([
    "2026-04-01T00:00:00.000Z",
    "2026-11-01T00:00:00.000Z",
    "2026-03-29T00:00:00.000Z",
    "2026-03-30T00:00:00.000Z",
  ]);
});
