import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { createDatabase } from "./database.ts";

it("keeps idle connections for five minutes", async () => {
  const pool = vi.spyOn(pg, "Pool");
  onTestFinished(() => pool.mockRestore());
  const url = "postgres://localhost/never-connected";
  const database = createDatabase({ url, poolSize: 1, applicationName: "test" });
  await database.close();
  expect(pool).toHaveBeenCalledWith(expect.objectContaining({ idleTimeoutMillis: 300_000 }));
});
