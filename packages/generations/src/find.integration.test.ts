import type { Sql } from "@atelier/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listGenerations } from "./find.ts";
import { openFixture, type Fixture } from "./fixture.ts";

let fixture: Fixture;
let accountId: string;

beforeAll(async () => {
  fixture = await openFixture();
  accountId = await fixture.makeAccount();
  // Nearly all jobs are of one account, and what is common apart is rare together: no story failed.
  await fixture.database.query(
    `INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur, renders_total, deadline_at, completed_at)
     SELECT uuidv7(), $1, CASE WHEN n % 2 = 0 THEN 'image' ELSE 'story' END::generation_kind,
            CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'completed' END::generation_status,
            'test-model', '{}', 'normal', 0, 1, now(), now()
       FROM generate_series(1, 20000) AS n`,
    [accountId],
  );
  await fixture.database.query("ANALYZE generation");
});

afterAll(() => fixture.close());

const limit = 20;

describe("a list of jobs", () => {
  it.each([
    { count: 20_000 },
    { status: "failed", count: 10_000 },
    { kind: "story", count: 10_000 },
    { status: "completed", kind: "story", count: 10_000 },
    { status: "failed", kind: "story", count: 0 },
    { status: "processing", count: 0 },
  ] as const)(
    "is all of them, page by page, found without looking through others: %j",
    async ({ count, ...filter }) => {
      const { database } = fixture;
      const all = await database.query<{ id: string }>(
        `SELECT id FROM generation WHERE account_id = $1
          AND status = coalesce($2::generation_status, status) AND kind = coalesce($3::generation_kind, kind)
        ORDER BY id DESC`,
        [accountId, filter.status, filter.kind],
      );
      expect(all).toHaveLength(count);

      for (const from of [0, Math.floor(count / 2), Math.max(count - limit, 0)]) {
        const beforeId = all[from - 1]?.id ?? null;
        const page = { accountId, beforeId, limit, ...filter };
        const found = await listGenerations(database, page);
        expect(found.map(({ id }) => id)).toEqual(
          all.slice(from, from + limit + 1).map(({ id }) => id),
        );
        // Near the end, what is older than the cursor is so little that all of it may be read.
        const passedOver = await rowsPassedOver(database, (sql) => listGenerations(sql, page));
        expect(passedOver).toBeLessThan(100);
      }
    },
  );
});

/** What a statement did, node by node. */
interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many jobs a statement read that it had no use for. */
async function rowsPassedOver(database: Sql, ask: (sql: Sql) => Promise<unknown>): Promise<number> {
  let passedOver = 0;
  function count(node: PlanNode): void {
    if (node["Relation Name"] === "generation") passedOver += node["Rows Removed by Filter"] ?? 0;
    node.Plans?.forEach(count);
  }
  await ask({
    async query(text, values) {
      const [explained] = await database.query<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      explained?.["QUERY PLAN"].forEach(({ Plan }) => count(Plan));
      return [];
    },
  });
  return passedOver;
}
