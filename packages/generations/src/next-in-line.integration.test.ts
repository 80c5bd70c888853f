import type { Dispatch } from "./dispatch.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acceptGeneration } from "./accept.ts";
import type { Claim } from "./claim.ts";
import { finishRender } from "./finish.ts";
import {
  acceptRequest,
  answer,
  imagesOf,
  lane,
  openFixture,
  type Fixture,
} from "./testing/fixture.ts";
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
