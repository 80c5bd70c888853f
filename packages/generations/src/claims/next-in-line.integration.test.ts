import { newId } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acceptGeneration } from "../accept/accept.ts";
import { finishRender } from "../endings/finish.ts";
import {
  acceptRequest,
  answer,
  imagesOf,
  lane,
  openFixture,
  type Fixture,
} from "../testing/fixture.ts";
import type { Claim } from "./claim.ts";
import type { Dispatch } from "./dispatch.ts";
import { findNextInLine } from "./next-in-line.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** A lane with some slots and a queue that serves by priority, then in insertion order. */
function openLane(slots: number) {
  const waiting: (Dispatch & { readonly label: string })[] = [];
  const running: { readonly claim: Claim; readonly label: string }[] = [];
  const startedLabels: string[] = [];

  async function fill(): Promise<void> {
    while (running.length < slots && waiting.length > 0) {
      const [next] = waiting.toSorted((one, other) => one.priority - other.priority);
      if (next === undefined) return;
      waiting.splice(waiting.indexOf(next), 1);
      running.push({ claim: await fixture.claim(next.renderId), label: next.label });
      startedLabels.push(next.label);
    }
  }

  return {
    /** The renders in the order in which they were started. */
    startedLabels,
    async send(accountId: string, label: string): Promise<void> {
      const request = acceptRequest({ accountId, maxUnfinishedJobs: 1_000 });
      const acceptance = await acceptGeneration(fixture.database, request);
      if (acceptance.kind !== "accepted") throw new Error("not accepted");
      waiting.push(...acceptance.ready.map((dispatch) => ({ ...dispatch, label })));
    },
    fill,
    /** Ends the render started first, moves up the account's next one and fills the free slot. */
    async advance(): Promise<string> {
      const first = running.shift();
      if (first === undefined) throw new Error("nothing is running");
      const { claim, label } = first;
      await finishRender(fixture.database, claim, imagesOf(claim), answer);
      const next = await findNextInLine(fixture.database, claim);
      const index = waiting.findIndex(({ renderId }) => renderId === next?.renderId);
      const [moved] = index < 0 ? [] : waiting.splice(index, 1);
      if (next !== null && moved !== undefined) {
        waiting.push({ ...moved, priority: Math.min(next.priority, moved.priority) });
      }
      await fill();
      return label;
    },
  };
}

describe("priorities lowered as an account's backlog drains", () => {
  let account: string;
  let neighbour: string;

  beforeEach(async () => {
    account = await fixture.makeAccount(1_000_000_000n);
    neighbour = await fixture.makeAccount(1_000_000_000n);
  });

  it("serve an account's jobs in order while it keeps sending new ones", async () => {
    const queue = openLane(2);
    const sent: string[] = [];
    const send = async () => {
      sent.push(String(sent.length));
      await queue.send(account, sent.at(-1) ?? "");
    };
    for (let batch = 0; batch < 30; batch++) await send();
    await queue.fill();
    // Drain the backlog to ten, then add one job for each that ends.
    for (let ended = 0; ended < 100; ended++) {
      await queue.advance();
      if (ended >= 20) await send();
    }
    expect(queue.startedLabels).toEqual(sent.slice(0, queue.startedLabels.length));
  });

  it("give the next free slot to the account that occupies fewer, whatever its backlog", async () => {
    const queue = openLane(4);
    for (let batch = 0; batch < 20; batch++) await queue.send(account, "busy");
    await queue.fill();
    for (let batch = 0; batch < 20; batch++) await queue.send(neighbour, "neighbour");
    for (let ended = 0; ended < 2; ended++) await queue.advance();
    expect(queue.startedLabels.slice(4)).toEqual(["neighbour", "neighbour"]);
    // From then on, each account has two slots.
    for (let ended = 0; ended < 16; ended++) await queue.advance();
    expect(queue.startedLabels.slice(6).filter((label) => label === "busy")).toHaveLength(8);
  });

  it("serve a new account before the waiting jobs of others", async () => {
    const queue = openLane(1);
    for (let batch = 0; batch < 5; batch++) {
      await queue.send(account, "busy");
      await queue.send(neighbour, "neighbour");
    }
    await queue.fill();
    await queue.advance();
    await queue.send(await fixture.makeAccount(), "newcomer");
    await queue.advance();
    await queue.advance();
    expect(queue.startedLabels.slice(2)).toContain("newcomer");
  });
});

it("finds the oldest unattempted render of a lane", async () => {
  const accountId = await fixture.makeAccount();
  const [first, second, third] = [
    await fixture.accept({ accountId }),
    await fixture.accept({ accountId }),
    await fixture.accept({ accountId }),
  ];
  const find = (of = lane) => findNextInLine(fixture.database, { accountId, lane: of });
  expect(await find()).toMatchObject({ renderId: first.renders[0], lane, priority: 1 });
  await fixture.claim(first.renders[0]);
  expect(await find()).toMatchObject({ renderId: second.renders[0], lane, priority: 2 });
  await fixture.claim(second.renders[0]);
  await fixture.database.query("UPDATE render SET status = 'ready' WHERE id = $1", [
    second.renders[0],
  ]);
  expect(await find()).toMatchObject({ renderId: third.renders[0], lane, priority: 2 });
  expect(await find("another-lane")).toBeNull();
});

it("finds no lines of batches", async () => {
  const accountId = await fixture.makeAccount();
  const { database } = fixture;
  const [line, job] = [await fixture.accept({ accountId }), await fixture.accept({ accountId })];
  await database.query("UPDATE generation SET batch_id = $2, batch_line = 1 WHERE id = $1", [
    line.generationId,
    newId(),
  ]);
  const find = () => findNextInLine(database, { accountId, lane });
  expect(await find()).toMatchObject({ renderId: job.renders[0], priority: 1 });
  await fixture.claim(job.renders[0]);
  expect(await find()).toBeNull();
});

it("reads at most 50 rows, with 5,000 finished jobs and 20,000 renders of others that wait", async () => {
  const { database } = fixture;
  const insertJobs = (accountIds: readonly string[], count: number, isFinished: boolean) =>
    database.query(
      `WITH job AS (
         INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                                 renders_total, deadline_at, completed_at, batch_id, batch_line)
         SELECT uuidv7(), id, 'image', CASE WHEN $3 THEN 'completed' ELSE 'pending' END::generation_status, 'm',
                '{}', 'normal', 0, 1, now(), CASE WHEN $3 THEN now() END,
                CASE WHEN $3 AND n % 2 = 0 THEN id END, CASE WHEN $3 AND n % 2 = 0 THEN n END
           FROM unnest($1::uuid[]) AS account (id), generate_series(1, $2::int) AS n
         RETURNING id)
       INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, attempt,
                           dispatched_at, finished_at)
       SELECT uuidv7(), id, 0, 'image', CASE WHEN $3 THEN 'done' ELSE 'ready' END::render_status, 'crowded', 'm',
              '{"references": []}', '{}', $3::int, now(), CASE WHEN $3 THEN now() END FROM job`,
      [accountIds, count, isFinished],
    );
  const accountId = await fixture.makeAccount();
  const others = await database.query<{ id: string }>(
    "INSERT INTO account (id, name) SELECT uuidv7(), 'other' FROM generate_series(1, 1000) RETURNING id",
  );
  const expectFewRows = async (of: string) => {
    const plans = await explainStatements(database, (sql) =>
      findNextInLine(sql, { accountId: of, lane: "crowded" }),
    );
    for (const plan of plans) expect(countRowsRead(plan)).toBeLessThanOrEqual(50);
  };
  const [other] = others;
  await insertJobs([accountId], 5_000, true);
  await database.query("ANALYZE generation, render");
  await expectFewRows(accountId);
  await insertJobs([accountId], 60, false);
  await expectFewRows(accountId);
  await insertJobs(
    others.map(({ id }) => id),
    20,
    false,
  );
  for (const analyze of ["SELECT", "ANALYZE generation, render"]) {
    await database.query(analyze);
    await expectFewRows(accountId);
    await expectFewRows(other?.id ?? "");
  }
});
