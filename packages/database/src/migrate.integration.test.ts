import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it } from "vitest";
import { applyMigrations, diffMigrations } from "./migrate.ts";

it("has migrations that match schema.prisma", async () => {
  expect(await diffMigrations(inject("postgresUrl"))).toContain("This is an empty migration");
});

it("applies nothing to a database that is up to date", async () => {
  const database = await createTestDatabase(inject("postgresUrl"));
  expect(await applyMigrations(database.url)).toEqual([]);
  await database.drop();
});
