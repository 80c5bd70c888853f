import type { Sql } from "@atelier/database";
import { claimRender, type Claim } from "@atelier/generations/claims";
import type { ModerationRequest, ModerationVerdict, Moderator } from "@atelier/moderation";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RenderDependencies } from "../../dependencies.ts";
import { createSharedWork } from "../share-work.ts";
import { moderate } from "./moderate.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
  account = await stack.createAccount();
});
afterAll(() => stack.stop());

const { signal } = new AbortController();

/** Accepts several images of one prompt and claims all of them. */
async function claimSeveral(): Promise<readonly Claim[]> {
  const body = { model: "fake-blind", prompt: "a harbour", n: 3 };
  const headers = { Prefer: "respond-async" };
  const accepted = await stack.request(account, "POST", "/v1/generate/image", body, headers);
  const { job_id: jobId } = (await accepted.json()) as { job_id: string };
  const renders = await stack.database.query<{ id: string; lane: string }>(
    "SELECT id, lane FROM render WHERE generation_id = $1 ORDER BY position",
    [jobId],
  );
  const claims = await Promise.all(
    renders.map(({ id, lane }) => claimRender(stack.database, id, lane)),
  );
  return claims.filter((claim) => claim !== null);
}

/** A worker process with a moderator of the test. */
function workerWith(judge: (request: ModerationRequest) => Promise<ModerationVerdict>) {
  const asked: ModerationRequest[] = [];
  const refused: string[] = [];
  let queries = 0;
  const repeatable: Sql = {
    async query<Row extends object>(...statement: Parameters<Sql["query"]>) {
      const rows = await stack.database.query<Row>(...statement);
      queries += 1;
      return rows;
    },
  };
  const moderator: Moderator = {
    name: "of the test",
    moderate(request) {
      asked.push(request);
      return judge(request);
    },
  };
  const dependencies = {
    database: { repeatable },
    metrics: { renderRefused: (...labels: string[]) => refused.push(labels.join(", ")) },
    moderator,
    peppers: ["pepper"],
    sharedModeration: createSharedWork(),
  } as unknown as RenderDependencies;
  return {
    asked,
    refused,
    answeredQueries: () => queries,
    moderate: (claim: Claim) => moderate(claim, dependencies, signal),
  };
}

const decisionsOn = ([claim]: readonly Claim[]) =>
  stack.database.query<{ allowed: boolean; certainty: string | null }>(
    "SELECT allowed, certainty FROM moderation_decision WHERE generation_id = $1",
    [claim?.generationId],
  );

it("asks once for renders that start together, and approves all in one statement", async () => {
  const claims = await claimSeveral();
  const answer = Promise.withResolvers<ModerationVerdict>();
  const worker = workerWith(() => answer.promise);
  const moderating = claims.map((claim) => worker.moderate(claim));
  // Each asks for an earlier approval, and the first one also for all specifications.
  await expect.poll(() => worker.answeredQueries()).toBe(4);
  answer.resolve({ allowed: true });
  expect(await Promise.all(moderating)).toHaveLength(3);
  expect(worker.asked).toEqual([
    {
      texts: [{ path: "prompt", text: "a harbour" }],
      strictness: "normal",
      hasClientImages: false,
    },
  ]);
  expect(await decisionsOn(claims)).toEqual(claims.map(() => ({ allowed: true, certainty: null })));
});

it("does not ask in another process once the approval is stored", async () => {
  const claims = await claimSeveral();
  const allow = () => Promise.resolve<ModerationVerdict>({ allowed: true });
  const [first, other] = [workerWith(allow), workerWith(allow)];
  for (const claim of claims.slice(0, 1)) await first.moderate(claim);
  for (const claim of claims) await other.moderate(claim);
  expect([first.asked.length, other.asked.length]).toEqual([1, 0]);
});

it("asks again when a worker died before the approval was stored", async () => {
  const claims = await claimSeveral();
  const dying = workerWith(() => Promise.reject(new Error("killed")));
  for (const claim of claims) await expect(dying.moderate(claim)).rejects.toThrow("killed");
  expect(await decisionsOn(claims)).toEqual([]);
  const next = workerWith(() => Promise.resolve({ allowed: true }));
  for (const claim of claims) await next.moderate(claim);
  expect(next.asked).toHaveLength(1);
});

it("records and counts an uncertain refusal, and quotes the client's words", async () => {
  const claims = await claimSeveral();
  const worker = workerWith(() =>
    Promise.resolve({
      allowed: false,
      certainty: "uncertain",
      code: "content_policy_violation",
      category: "sexual_minors",
      path: "prompt",
      quoted: [{ written: "harbour", readAs: "bra" }],
    }),
  );
  for (const claim of claims.slice(0, 1)) {
    await expect(worker.moderate(claim)).rejects.toMatchObject({
      code: "content_policy_violation",
      message:
        'The words "harbour" (read as "bra") may violate the content policy (sexual_minors). Reword the text at prompt; nothing was charged.',
    });
  }
  expect(worker.refused).toEqual(["sexual_minors, uncertain"]);
  expect(await decisionsOn(claims)).toEqual([{ allowed: false, certainty: "uncertain" }]);
});
