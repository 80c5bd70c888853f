import { newId } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFixture, type Fixture } from "../testing/fixture.ts";
import { findSimilar } from "./similar.ts";

let fixture: Fixture;
let accountId: string;
let otherId: string;

beforeAll(async () => {
  fixture = await openFixture();
  [accountId, otherId] = [await fixture.makeAccount(), await fixture.makeAccount()];
});

afterAll(() => fixture.close());

/**
 * Stores completed jobs, the oldest first, each with images whose fingerprints begin with a number of ones, followed by zeros.
 *
 * @param ones for each image of a job.
 */
async function store(
  job: { readonly owner?: string; readonly mode?: string; readonly keyId?: string | null },
  ones: readonly number[],
  count = 1,
): Promise<{ readonly id: string; readonly sha256: string }> {
  const { owner = accountId, mode = "live", keyId = null } = job;
  return fixture.database.transaction(async (sql) => {
    // The rows satisfy the foreign keys.
    await sql.query("SET LOCAL session_replication_role = replica");
    const stored = await sql.query<{ id: string; sha256: string }>(
      `WITH job AS (
         INSERT INTO generation (id, account_id, key_id, mode, kind, status, model, request, strictness, price_micro_eur,
                                 renders_total, deadline_at, completed_at)
         SELECT uuidv7(), $1, $2, $3::key_mode, 'image', 'completed', 'm', '{}', 'normal', 0, $5, now(), now()
           FROM generate_series(1, $4) RETURNING id
       ), made AS (
         INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, finished_at)
         SELECT uuidv7(), id, position, 'image', 'done', 'lane', 'm', '{}', '{}', now()
           FROM job, generate_series(0, $5 - 1) AS position RETURNING id, generation_id, position
       ), marked AS (
         INSERT INTO mark (render_id, model, perceptual_hash)
         SELECT id, 'm', rpad(repeat('1', ($6::int[])[position + 1]), 256, '0')::bit(256) FROM made
       ), file AS (
         INSERT INTO mark_file (sha256, render_id, format)
         SELECT encode(sha256(uuid_send(id)), 'hex'), id, 'png' FROM made WHERE position = 0 RETURNING sha256, render_id
       )
       SELECT generation_id AS id, sha256 FROM file JOIN made ON made.id = render_id ORDER BY 1 DESC LIMIT 1`,
      [owner, keyId, mode, count, ones.length, ones],
    );
    return stored[0]!;
  });
}

const live = (owner: string, keyId: string | null = null) =>
  ({ accountId: owner, mode: "live", keyId }) as const;

const find = (
  sha256: string,
  owner = live(accountId),
  among: Parameters<typeof findSimilar>[3] = owner,
) => findSimilar(fixture.database, sha256, owner, among);

it("finds the jobs of the account with an image that differs in at most 64 bits, the most similar first", async () => {
  const owner = await fixture.makeAccount();
  const image = await store({ owner }, [0]);
  const near = await store({ owner }, [200, 64]);
  await store({ owner }, [65]);
  const nearest = await store({ owner }, [3]);
  const test = await store({ owner, mode: "test" }, [0]);
  await store({ owner: otherId }, [0]);
  expect(await find(image.sha256, live(owner))).toEqual([image.id, nearest.id, near.id]);
  const tests = { accountId: owner, mode: "test" } as const;
  expect(await findSimilar(fixture.database, test.sha256, tests, tests)).toEqual([test.id]);
});

it("finds nothing by images that the reader may not read, and says so", async () => {
  const [owner, keyId] = [await fixture.makeAccount(), newId()];
  const image = await store({ owner }, [0]);
  const own = await store({ owner, keyId }, [1]);
  for (const [sha256, reader] of [
    [image.sha256, live(accountId)],
    [image.sha256, { accountId: owner, mode: "test" }],
    [image.sha256, live(owner, keyId)],
    ["0".repeat(64), live(owner)],
  ] as const) {
    await expect(findSimilar(fixture.database, sha256, reader, live(owner))).rejects.toMatchObject({
      code: "job_not_found",
    });
  }
  expect(await find(own.sha256, live(owner, keyId))).toEqual([own.id]);
  expect(await find(image.sha256, live(owner), live(owner, keyId))).toEqual([own.id]);
});

it("compares so many of the newest images, however many the account and another one have", async () => {
  const compared = 1_000;
  const findAmong = (sha256: string) =>
    find(sha256, live(accountId), { ...live(accountId), compared });
  const older = await store({}, [0]);
  await store({}, [100], 9_000);
  await store({ owner: otherId }, [0], 1_000);
  const image = await store({}, [1]);
  // Jobs with several images count as often.
  await store({}, [130, 140], 499);
  const last = await store({}, [2]);
  await fixture.database.query("VACUUM ANALYZE generation, render, mark, mark_file");
  expect(await findAmong(image.sha256)).toEqual([image.id, last.id]);
  await store({}, [130]);
  expect(await findAmong(image.sha256)).toEqual([last.id]);
  expect(await findAmong(older.sha256)).toEqual([last.id]);
  const plans = await explainStatements(fixture.database, (sql) => {
    // Settings have no plan.
    const query: typeof sql.query = async (text, values) =>
      text.startsWith("SET") ? [] : sql.query(text, values);
    const database: Parameters<typeof findSimilar>[0] = { transaction: (work) => work({ query }) };
    return findSimilar(database, image.sha256, live(accountId), { ...live(accountId), compared });
  });
  expect(plans.length).toBeGreaterThan(0);
  expect(Math.max(...plans.map(countRowsRead))).toBeLessThanOrEqual(3 * compared + 100);
});

it("finds at most 100 jobs", async () => {
  const owner = await fixture.makeAccount();
  const image = await store({ owner }, [0]);
  await store({ owner }, [10], 120);
  const found = await find(image.sha256, live(owner));
  expect([found.length, found[0]]).toEqual([100, image.id]);
});
