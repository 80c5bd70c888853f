import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batch } from "@atelier/schemas";
import { assertInvariants, startStack, startTestProgram, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { AcceptStep } from "../src/failpoint.ts";
import { createClient, image } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

let stack: Stack;
let directory: string;

const crashAt = (step: AcceptStep | "no step") => writeFile(join(directory, "failpoint"), step);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
  await crashAt("no step");
  stack = await startStack({ postgresUrl: inject("postgresUrl"), processes: true });
});

afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

const startApi = () =>
  startTestProgram({
    entry: "apps/api/test/killable-api.ts",
    environment: {
      ...stack.environment,
      PORT: "0",
      ADMIN_PORT: "0",
      FAILPOINT_FILE: join(directory, "failpoint"),
    },
    directory,
    name: "killable-api",
  });

it(
  "APIs that are killed at every step of accepting a line take each line once",
  { timeout: 180_000 },
  async () => {
    const client = await createClient(stack);
    const { account } = client;
    const lines = [
      ...Array.from({ length: 19 }, () => ({ operation: "image", body: image })),
      { operation: "image", body: { ...image, model: "no-such-model" } },
    ];
    const response = await stack.request(account, "POST", "/v1/batches", { requests: lines });
    const { id } = batch.parse(await response.json());
    // From now on, only the APIs that are killed work on the batch.
    await stack.api.stop();
    for (const step of ["before-accept", "after-accept", "after-dispatch"] as const) {
      await crashAt(step);
      const api = await startApi();
      expect(await api.ended).toBe(null);
      // The turn of the killed process would last for some seconds.
      await stack.database.query("UPDATE batch SET turn_at = now() WHERE id = $1", [id]);
    }
    await crashAt("no step");
    const api = await startApi();
    try {
      const [done] = await eventually(
        () =>
          stack.database.query<{ completed: number; refused: number; status: string }>(
            `SELECT jobs_completed AS completed, lines_refused AS refused, status FROM batch
              WHERE id = $1 AND completed_at IS NOT NULL`,
            [id],
          ),
        (rows) => rows.length > 0,
      );
      expect(done).toEqual({ completed: 19, refused: 1, status: "completed" });
      expect(stack.provider.calls).toHaveLength(19);
      await assertInvariants(stack.database, undefined, stack.provider.calls);
    } finally {
      await api.stop();
    }
  },
);
