import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sweepJobs, type RedactionProgress } from "./sweep-jobs.ts";

let database: Database;
let drop: () => Promise<void>;
const accountId = newId();
const dayMs = 86_400_000;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  drop = () => testDatabase.drop();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
});

afterAll(async () => {
  await database.close();
  await drop();
});

/** Adds completed jobs with a kept image each, and returns their ids. */
async function addJobs(count: number, endedDaysAgo: number): Promise<string[]> {
  const jobs = await database.query<{ id: string }>(
    `WITH job AS (
       INSERT INTO generation (id, account_id, kind, operation, status, model, request, strictness,
                               price_micro_eur, renders_total, completed_at, deadline_at)
       SELECT uuidv7(), $1, 'image', 'image', 'completed', 'test', '{"prompt": "text"}', 'normal', 1, 1,
              now() - $3 * interval '1 day', now()
         FROM generate_series(1, $2::int)
       RETURNING id
     ), made AS (
       INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, finished_at)
       SELECT uuidv7(), id, 0, 'image', 'done', 'test', 'test', '{"prompt": "text", "references": []}', now()
         FROM job
       RETURNING id
     ), stored AS (
       INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height)
       SELECT id, 'png', 'renders/' || id || '/1.png', repeat('0', 64), 1, 1, 1 FROM made
     )
     SELECT id FROM job`,
    [accountId, count, endedDaysAgo],
  );
  return jobs.map(({ id }) => id);
}

const deleteImages = (id: string | undefined) =>
  database.query(
    `UPDATE image SET deleted_at = now() FROM render WHERE generation_id = $1 AND render.id = render_id`,
    [id],
  );

/** Sweeps in batches of two, and returns the number of redacted jobs and of batches. */
async function sweep(progress: RedactionProgress) {
  let batches = 1;
  const proceed = () => Promise.resolve(batches++ > 0);
  const redacted = await sweepJobs(30 * dayMs, database, progress, proceed, 2);
  return { redacted, batches };
}

it("reads kept jobs in the first sweep only, and later those that have become due since then", async () => {
  const kept = await addJobs(9, 40);
  const progress: RedactionProgress = { mark: null };
  expect(await sweep(progress)).toEqual({ redacted: 0, batches: 5 });
  expect(await sweep(progress)).toEqual({ redacted: 0, batches: 2 });

  await deleteImages(kept[4]);
  expect((await sweep(progress)).redacted).toBe(1);
  const [newlyOld] = await addJobs(1, 30);
  await deleteImages(newlyOld);
  expect((await sweep(progress)).redacted).toBe(1);
  expect(await sweep(progress)).toEqual({ redacted: 0, batches: 2 });
});

it("reads jobs again that were locked", async () => {
  const [locked] = await addJobs(1, 41);
  await deleteImages(locked);
  const progress: RedactionProgress = { mark: null };
  await database.transaction(async (sql) => {
    await sql.query("SELECT FROM generation WHERE id = $1 FOR UPDATE", [locked]);
    expect((await sweep(progress)).redacted).toBe(0);
  });
  expect((await sweep(progress)).redacted).toBe(1);
});
