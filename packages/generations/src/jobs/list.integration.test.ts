import { newId, type Sql } from "@atelier/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findGeneration } from "./find.ts";
import { listAmong, listGenerations, searchGenerations } from "./list.ts";
import { exactTerms } from "../accept/search-terms.ts";
import { imagePlan, openFixture, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;
let accountId: string;

beforeAll(async () => {
  fixture = await openFixture();
  accountId = await fixture.makeAccount();
  const otherId = await fixture.makeAccount();
  // Some combinations never occur: no story failed. Edits are rare in the account, and all jobs of the
  // other one, which are older.
  for (const owner of [otherId, accountId]) {
    await fixture.database.query(
      `INSERT INTO generation (id, account_id, kind, status, operation, model, request, strictness, price_micro_eur, renders_total, deadline_at, completed_at)
       SELECT uuidv7(), $1, CASE WHEN n % 2 = 0 THEN 'image' ELSE 'story' END::generation_kind,
              CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'completed' END::generation_status,
              CASE WHEN $1::uuid = $2 OR n % 5000 = 1 THEN 'edit' ELSE 'image' END::generation_operation,
              'test-model', '{}', 'normal', 0, 1, now(), now()
         FROM generate_series(1, 20000) AS n`,
      [owner, otherId],
    );
  }
  // The planner knows the words of this many prompts, as in production, and not only the common ones.
  for (const [owner, operation] of [
    [accountId, "image"],
    [accountId, "edit"],
    [otherId, "edit"],
  ] as const) {
    await fixture.database.query(
      `INSERT INTO generation_search (account_id, generation_id, terms)
       SELECT account_id, id, to_tsvector('simple', 'a lighthouse ' || n % 1000 || CASE
                WHEN n % 5000 = 0 THEN ' at dusk' ELSE '' END)
              || array_to_tsvector($1::text[])
         FROM (SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY id) AS n FROM generation) AS job
        WHERE account_id = $2 AND operation = $3`,
      [exactTerms({ accountId: owner, operation, model: "test-model" }), owner, operation],
    );
  }
  await fixture.database.query("VACUUM ANALYZE");
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
        // On the last pages, so few jobs are older than the cursor that all of them may be read.
        const passedOver = await rowsPassedOver(database, (sql) => listGenerations(sql, page));
        expect(passedOver).toBeLessThan(100);
        const { passedOver: always, cost } = await planForAnyValues((sql) =>
          listGenerations(sql, page),
        );
        expect(always).toBeLessThan(100);
        expect(cost).toBeLessThan(compiledFrom);
      }
    },
  );
});

it("finds a job with a plan that Postgres does not compile first", async () => {
  const { cost } = await planForAnyValues((sql) =>
    findGeneration(sql, { accountId, generationId: newId() }),
  );
  expect(cost).toBeLessThan(compiledFrom);
});

it.each([
  ["an image without a result", "image", 2],
  ["a completed story, whose references are read as well", "story", 3],
])("reads %s with its number of statements", async (_name, kind, count) => {
  const { database } = fixture;
  const [job] = await database.query<{ id: string }>(
    "SELECT id FROM generation WHERE account_id = $1 AND kind = $2::generation_kind LIMIT 1",
    [accountId, kind],
  );
  const statements: string[] = [];
  const counted: Sql = {
    ...database,
    query: (text, values) => {
      statements.push(text);
      return database.query(text, values);
    },
  };
  await findGeneration(counted, { accountId, generationId: job?.id ?? "" });
  expect(statements).toHaveLength(count);
});

describe("a search", () => {
  it.each([
    { q: "lighthouse", count: 20_000 },
    { q: "Dusk lighthouse", count: 4 },
    { q: "harbour", count: 0 },
    { q: "lighth", count: 20_000 },
    { q: "lighthouse dus", count: 4 },
    { q: "harb", count: 0 },
    { q: "du lighthouse", count: 0 },
    { model: "test-model", q: "dus", count: 4 },
    { model: "test-model", q: "lig", status: "failed", count: 10_000 },
    { model: "test-model", count: 20_000 },
    { model: "test-model", q: "dusk", count: 4 },
    { model: "another", count: 0 },
    { operation: "image", count: 19_996 },
    { operation: "edit", count: 4 },
    { operation: "edit", status: "failed", count: 0 },
    { operation: "diagram", count: 0 },
    { model: "test-model", kind: "story", count: 10_000 },
    { q: "lighthouse", status: "processing", count: 0 },
    { metadata: { order: "7" }, count: 0 },
  ] as const)("reads few more jobs than it returns: %j", async ({ count, ...filter }) => {
    const { database } = fixture;
    const page = { accountId, beforeId: null, limit, ...filter };
    const found = await searchGenerations(database, page);
    expect(found).toHaveLength(Math.min(count, limit + 1));
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const passedOver = await rowsPassedOver(database, (sql) =>
      searchGenerations({ transaction: (work) => work(sql) }, page),
    );
    expect(passedOver).toBeLessThan(100);
  });

  it("finds accepted jobs by their words, operation, model and metadata, page by page", async () => {
    const { database } = fixture;
    const owner = await fixture.makeAccount();
    const accept = (prompt: string, metadata: Record<string, string>) =>
      fixture.accept({
        accountId: owner,
        plan: { ...imagePlan, request: { prompt }, metadata },
      });
    const long = "v".repeat(512);
    const first = await accept("A red fox, in the snow!", { order: "1", note: long });
    const second = await accept("a red boat", { order: "1" });
    await fixture.accept({ accountId: owner, plan: { ...imagePlan, operation: "edit" } });
    const find = async (filter: object) => {
      const page = { accountId: owner, beforeId: null, limit: 10, ...filter };
      return (await searchGenerations(database, page)).map(({ id }) => id);
    };
    expect(await find({ q: "RED" })).toEqual([second.generationId, first.generationId]);
    expect(await find({ q: "snow fox" })).toEqual([first.generationId]);
    expect(await find({ q: "red", limit: 1 })).toHaveLength(2);
    expect(await find({ q: "red", beforeId: second.generationId })).toEqual([first.generationId]);
    expect(await find({ metadata: { order: "1", note: long } })).toEqual([first.generationId]);
    expect(await find({ metadata: { order: "2" } })).toEqual([]);
    expect(await find({ operation: "image" })).toEqual([second.generationId, first.generationId]);
    expect(await find({ operation: "edit" })).toHaveLength(1);
    expect(await find({ metadata: { order: "1" }, q: "boat" })).toEqual([second.generationId]);
    expect(await find({ q: "fox", accountId })).toEqual([]);
    expect(await find({ q: "!?" })).toEqual([]);
    expect(await find({ model: "test-model", keyId: owner })).toHaveLength(3);
    expect(await find({ model: "test-model", created_after: "2100-01-01T00:00:00Z" })).toEqual([]);
  });
});

it("finds the beginning of the last word, and not what is stored beside the words", async () => {
  const { database } = fixture;
  const owner = await fixture.makeAccount();
  const accept = async (prompt: string) => {
    const plan = { ...imagePlan, request: { prompt }, metadata: { order: "7" } };
    return (await fixture.accept({ accountId: owner, plan })).generationId;
  };
  const house = await accept("A light-house on it's modern cliff");
  const quote = await accept("Zwölf \\ o'clock, Über:Wasser");
  const find = async (q: string) => {
    const page = { accountId: owner, beforeId: null, limit: 10, q };
    return (await searchGenerations(database, page)).map(({ id }) => id);
  };
  for (const q of ["cl", "modern cli", "light-hou", "light-house", "MODERN", "it's"]) {
    expect([q, await find(q)]).toEqual([q, q === "cl" ? [quote, house] : [house]]);
  }
  for (const q of ["Zwö", "o'clo", "Über:Wa", "Zwölf \\ o", "clo"]) {
    expect([q, await find(q)]).toEqual([q, [quote]]);
  }
  expect(await find("mod")).toEqual([house]);
  for (const q of ["mode:", "o", "cli modern:*", "a & x", "'", "\\", ":*", "!("]) {
    expect([q, Array.isArray(await find(q))]).toEqual([q, true]);
  }
  expect(await find("met")).toEqual([]);
  expect(await find("request")).toEqual([]);
  expect(await find("operation")).toEqual([]);
  const page = { accountId: owner, beforeId: null, limit: 10, starred: true as const };
  await database.query(
    "INSERT INTO job_note (account_id, generation_id, starred) VALUES ($1, $2, true)",
    [owner, house],
  );
  const starred = async (q: string) =>
    (await listAmong(database, { ...page, q })).map(({ id }) => id);
  expect([await starred("cli"), await starred("clo"), await starred("met")]).toEqual([
    [house],
    [],
    [],
  ]);
});

it("reads few more jobs than it returns of the starred ones and of a collection", async () => {
  const { database } = fixture;
  const collection = newId();
  await database.query(
    "INSERT INTO collection (id, account_id, mode, name) VALUES ($1, $2, 'live', 'May')",
    [collection, accountId],
  );
  await database.query(
    `WITH job AS (
       SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM generation
                        WHERE account_id = $1) AS numbered WHERE n % 10 = 0
     ), starred AS (
       INSERT INTO job_note (account_id, generation_id, starred) SELECT $1, id, true FROM job
     )
     INSERT INTO collection_job (collection_id, generation_id) SELECT $2, id FROM job`,
    [accountId, collection],
  );
  await database.query("ANALYZE job_note, collection_job");
  for (const part of [{ starred: true as const }, { collection }]) {
    const page = { accountId, beforeId: null, limit, ...part };
    const first = await listAmong(database, page);
    expect(first).toHaveLength(limit + 1);
    // Presented with the references of stories.
    expect(first.map(({ suppliedReferences }) => suppliedReferences)).toEqual(first.map(() => []));
    const beforeId = first[limit - 1]?.id ?? null;
    expect((await listAmong(database, { ...page, beforeId }))[0]?.id).toBe(first[limit]?.id);
    for (const from of [null, beforeId]) {
      const passedOver = await rowsPassedOver(database, (sql) =>
        listAmong(sql, { ...page, beforeId: from }),
      );
      expect(passedOver).toBeLessThan(100);
    }
  }
});

it("lists the jobs of a time", async () => {
  const { database } = fixture;
  const owner = await fixture.makeAccount();
  const times = ["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z"];
  await database.query(
    `INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur, renders_total, deadline_at, created_at, completed_at)
     SELECT uuidv7(moment - now()), $1, 'image', 'failed', 'm', '{}', 'normal', 0, 1, moment, moment, moment
       FROM unnest($2::timestamptz[]) AS moment`,
    [owner, times],
  );
  const list = async (filter: object) => {
    const found = await listGenerations(database, {
      accountId: owner,
      beforeId: null,
      limit,
      ...filter,
    });
    return found.map(({ createdAt }) => createdAt.getUTCDate());
  };
  expect(await list({ created_after: times[1] })).toEqual([3, 2]);
  expect(await list({ created_before: times[1] })).toEqual([1]);
  expect(await list({ created_after: times[0], created_before: times[2] })).toEqual([2, 1]);
});

/** A node of an executed query plan. */
interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Rows Removed by Filter"?: number;
  readonly "Total Cost": number;
  readonly Plans?: readonly PlanNode[];
}

/** `jit_above_cost` by default. Compiling a plan takes longer than any read of jobs. */
const compiledFrom = 100_000;

function countPassedOver(node: PlanNode): number {
  const isJob = node["Relation Name"]?.startsWith("generation") === true;
  const own = isJob ? (node["Rows Removed by Filter"] ?? 0) : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + countPassedOver(child), 0);
}

type Explained = readonly { "QUERY PLAN": readonly { Plan: PlanNode }[] }[];

/** Runs a statement with the plan for any values, which connections keep from its sixth run on. */
function planForAnyValues(
  ask: (sql: Sql) => Promise<unknown>,
): Promise<{ readonly passedOver: number; readonly cost: number }> {
  const found = { passedOver: 0, cost: 0 };
  return fixture.database.transaction(async (sql) => {
    await sql.query("SET LOCAL plan_cache_mode = force_generic_plan");
    await ask({
      async query(text, values = []) {
        await sql.query(`PREPARE asked AS ${text}`);
        const [explained] = (await sql.query(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked (${values.map(literal).join()})`,
        )) as Explained;
        await sql.query("DEALLOCATE asked");
        for (const { Plan } of explained?.["QUERY PLAN"] ?? []) {
          found.passedOver += countPassedOver(Plan);
          found.cost += Plan["Total Cost"];
        }
        return [];
      },
    });
    return found;
  });
}

function literal(value: unknown): string {
  return value === null ? "NULL" : `'${value as string | number}'`;
}

/** Number of jobs that a statement read and discarded. */
async function rowsPassedOver(database: Sql, ask: (sql: Sql) => Promise<unknown>): Promise<number> {
  let passedOver = 0;
  await ask({
    async query(text, values) {
      if (text.startsWith("SET")) return [];
      const [explained] = (await database.query(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      )) as Explained;
      for (const { Plan } of explained?.["QUERY PLAN"] ?? []) passedOver += countPassedOver(Plan);
      return [];
    },
  });
  return passedOver;
}
