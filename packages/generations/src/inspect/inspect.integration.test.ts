import { createHash } from "node:crypto";
import { newId } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordIntent } from "../claims/provider-calls.ts";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import { recordRefusal } from "../accept/moderation-decisions.ts";
import { decision, imagePlan, imagesOf, openFixture, type Fixture } from "../testing/fixture.ts";
import { explainJob } from "./explain-job.ts";
import { findJobs, type JobClue } from "./find-jobs.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const others = 5_000;

let fixture: Fixture;
/** The account with the other jobs. */
let historyId: string;

beforeAll(async () => {
  fixture = await openFixture();
  historyId = await fixture.makeAccount();
  await fixture.database.query(
    `WITH job AS (
       INSERT INTO generation (id, account_id, key_id, kind, status, model, request, strictness, price_micro_eur,
                               renders_total, deadline_at, created_at, completed_at)
       SELECT uuidv7(-age), $1, $1, 'image', 'completed', 'm', '{}', 'normal', 0, 1, now(), now() - age, now() - age
         FROM generate_series(1, ${others}) AS n, LATERAL (SELECT interval '20 days' - n * interval '1 minute' AS age) AS at
       RETURNING id, created_at, account_id
     ), searched AS (
       INSERT INTO generation_search (account_id, generation_id, terms)
       SELECT account_id, id, to_tsvector('simple', 'a common lighthouse') FROM job
     ), finished AS (
       INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, attempt,
                           dispatched_at, claimed_at, finished_at)
       SELECT id, id, 0, 'image', 'done', 'lane', 'm', '{}', '{}', 1, created_at, created_at, created_at
         FROM job RETURNING id
     ), marked AS (
       INSERT INTO mark (render_id, model, watermark_id) SELECT id, 'm', left(md5(id::text), 16) FROM finished
     )
     INSERT INTO mark_file (sha256, render_id, format)
     SELECT encode(sha256(uuid_send(id)), 'hex'), id, 'png' FROM finished`,
    [historyId],
  );
  await fixture.database.query("ANALYZE");
});

afterAll(() => fixture.close());

/** A job that a worker completed. */
async function complete(name: string, requestId: string) {
  const text = `a ${name} over the bay`;
  const accepted = await fixture.accept({
    requestId,
    plan: { ...imagePlan, request: { prompt: text } },
  });
  const claim = await fixture.claim(accepted.renders[0]);
  const callId = await recordIntent(fixture.database, claim, decision);
  const images = imagesOf(claim).map((image) => ({
    ...image,
    sha256: sha(`${name}.${image.format}`),
  }));
  await finishRender(
    fixture.database,
    claim,
    images,
    { callId: callId ?? "" },
    {
      watermarkId: sha(name).slice(0, 16),
      perceptualHash: sha(name),
      parentWatermarks: [],
      synthetic: "rules",
      hasDossier: false,
    },
  );
  return { ...accepted, renderId: claim.renderId };
}

const idsOf = async (clue: JobClue) =>
  (await findJobs(fixture.database, clue, 20)).jobs.map(({ id }) => id);

describe("finding jobs of any account", () => {
  it("leads from each clue to the job with its account, key, charge and files", async () => {
    const before = new Date(Date.now() - 1_000);
    const requestId = `request-${newId()}`;
    const { accountId, generationId, renderId } = await complete("kingfisher", requestId);
    const time = { by: "time", from: before, to: new Date(Date.now() + 1_000) } as const;
    const clues: JobClue[] = [
      { by: "job", id: generationId },
      { by: "render", id: renderId },
      { by: "hash", sha256: sha("kingfisher.webp") },
      { by: "watermark", id: sha("kingfisher").slice(0, 16) },
      { by: "request-id", id: requestId },
      { by: "account", id: accountId, before: null },
      { ...time, text: "" },
      { ...time, text: "kingfisher" },
      { ...time, text: "over kingf" },
    ];
    for (const clue of clues) {
      const { jobs } = await findJobs(fixture.database, clue, 1);
      expect({ ...clue, jobs }).toMatchObject({
        ...clue,
        jobs: [
          {
            id: generationId,
            account: { id: accountId, name: "test", status: "active" },
            key: { id: accountId },
            status: "completed",
            heldMicroEur: 50_000n,
            chargedMicroEur: 50_000n,
            error: null,
            refusal: null,
          },
        ],
      });
      expect(jobs[0]?.files.map(({ sha256 }) => sha256)).toContain(sha("kingfisher.png"));
    }
    expect(await idsOf({ ...time, text: "kingfisher absent" })).toEqual([]);
    expect(await idsOf({ by: "request-id", id: "it's unknown" })).toEqual([]);
  });

  it("finds the jobs of a batch by its id", async () => {
    const batchId = newId();
    const { generationId } = await fixture.accept();
    await fixture.database.query(
      "UPDATE generation SET batch_id = $2, batch_line = 1 WHERE id = $1",
      [generationId, batchId],
    );
    expect(await idsOf({ by: "request-id", id: batchId })).toEqual([generationId]);
  });

  it("says in which part of the archive a job and its images are", async () => {
    const { accountId, generationId } = await complete("heron", newId());
    const { database } = fixture;
    await database.query(
      `INSERT INTO archive_part (id, month, first_id, last_id, account_ids, jobs)
       VALUES ($1, '2026-05', $2, $2, ARRAY[$3::uuid], 1)`,
      [newId(), generationId, accountId],
    );
    for (const text of [
      "DELETE FROM image WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      "DELETE FROM provider_call WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      "DELETE FROM moderation_decision WHERE generation_id = $1",
      "DELETE FROM render WHERE generation_id = $1",
      "DELETE FROM generation WHERE id = $1",
    ]) {
      await database.query(text, [generationId]);
    }
    expect(await findJobs(database, { by: "job", id: generationId }, 20)).toEqual({
      jobs: [],
      archived: {
        id: generationId,
        account: { id: accountId, name: "test" },
        chargedMicroEur: 50_000n,
        refundedMicroEur: 0n,
        months: ["2026-05"],
      },
    });
    for (const clue of [
      { by: "hash", sha256: sha("heron.png") },
      { by: "watermark", id: sha("heron").slice(0, 16) },
    ] as const) {
      expect(await findJobs(database, clue, 20)).toMatchObject({
        jobs: [],
        archived: { id: null, months: ["2026-05"] },
      });
    }
    expect(await findJobs(database, { by: "job", id: newId() }, 20)).toEqual({
      jobs: [],
      archived: null,
    });
  });

  it("reads few rows for each clue, however many jobs there are", async () => {
    const requestId = `request-${newId()}`;
    const { generationId, renderId } = await complete("plover", requestId);
    await fixture.database.query("ANALYZE");
    const day = 86_400_000;
    const history = { by: "time", from: new Date(Date.now() - 30 * day), to: new Date() } as const;
    const clues: JobClue[] = [
      { by: "job", id: generationId },
      { by: "render", id: renderId },
      { by: "hash", sha256: sha("plover.png") },
      { by: "watermark", id: sha("plover").slice(0, 16) },
      { by: "request-id", id: requestId },
      { by: "account", id: historyId, before: null },
      { by: "account", id: historyId, status: "failed", before: null },
      { by: "account", id: historyId, from: history.from.toISOString(), before: null },
      // Without words, by which Postgres reads the whole of a table as small as this one.
      { ...history, text: "" },
    ];
    const costly: object[] = [];
    for (const clue of clues) {
      const plans = await explainStatements(fixture.database, (sql) =>
        findJobs({ ...sql, transaction: (work) => work(sql) }, clue, 20),
      );
      // Twenty jobs, each with its account, key, hold and images: small tables are scanned for each.
      const most = Math.max(...plans.map(countRowsRead));
      if (most > 1_000) costly.push({ clue, most });
    }
    expect(costly).toEqual([]);
  });
});

describe("explaining a job", () => {
  it("lists its life in order, with calls, money and deliveries", async () => {
    const { database } = fixture;
    const accountId = await fixture.makeAccount();
    const webhookId = newId();
    await database.query(
      `INSERT INTO webhook (id, account_id, key_id, url, events, secret)
       VALUES ($1, $2, $2, 'https://example.test/', '{job.completed}', '')`,
      [webhookId, accountId],
    );
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceParent = `00-${trace}-00f067aa0ba902b7-01`;
    const { generationId, renders } = await fixture.accept({ accountId, traceParent });
    const claim = await fixture.claim(renders[0]);
    const callId = await recordIntent(database, claim, decision);
    await finishRender(database, claim, imagesOf(claim), { callId: callId ?? "" });
    await database.query(
      `UPDATE webhook_delivery SET status = 'delivered', attempt_log =
         jsonb_build_array(jsonb_build_object('at', now() + interval '1 s', 'response_status', 500, 'error', 'status 500'),
                           jsonb_build_object('at', now() + interval '2 s', 'response_status', 200, 'error', null))
        WHERE generation_id = $1`,
      [generationId],
    );
    const events = (await explainJob(database, generationId)) ?? [];
    const names = events.map(({ event }) => event);
    const inOrder = [
      "accepted",
      "queued",
      "claimed",
      "call started",
      "call image",
      "finished",
      "completed",
      "delivery failed",
      "delivered",
    ];
    expect(inOrder.map((name) => names.indexOf(name))).toEqual(
      inOrder.map((name) => names.indexOf(name)).toSorted((one, other) => one - other),
    );
    for (const name of [...inOrder, "started", "allowed", "stored", "settle", "job.completed"]) {
      expect(names).toContain(name);
    }
    const byName = new Map(events.map((event) => [event.event, event]));
    expect(byName.get("accepted")?.details).toMatchObject({
      account: accountId,
      price_eur: "0.05",
      trace,
    });
    expect(byName.get("settle")?.details).toMatchObject({ charged_eur: "0.05" });
    expect(byName.get("call started")?.details).toMatchObject({ model: "test-model" });
    expect(byName.get("delivery failed")).toMatchObject({
      tone: "bad",
      details: { webhook: webhookId, status: 500, error: "status 500" },
    });
    expect(byName.get("completed")?.tone).toBe("good");
  });

  it("shows why a job was refused, and that its hold was released", async () => {
    const { database } = fixture;
    const { generationId, renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    await recordRefusal(database, claim, {
      moderator: "rules-3",
      promptHash: null,
      category: "violence",
      path: "prompt",
      certainty: "uncertain",
    });
    await failGeneration(database, {
      generationId,
      claim,
      error: {
        error: "content_policy_violation",
        message: "The prompt violates the content policy.",
        details: null,
      },
    });
    const events = (await explainJob(database, generationId)) ?? [];
    expect(events).toContainEqual(
      expect.objectContaining({
        event: "refused",
        image: 0,
        tone: "bad",
        details: {
          moderator: "rules-3",
          category: "violence",
          path: "prompt",
          certainty: "uncertain",
        },
      }),
    );
    expect(events.map(({ event }) => event)).toContain("release");
    const { jobs } = await findJobs(database, { by: "job", id: generationId }, 1);
    expect(jobs).toMatchObject([
      {
        chargedMicroEur: 0n,
        refusal: { category: "violence" },
        error: { error: "content_policy_violation" },
      },
    ]);
  });

  it("reads few rows, however many jobs and deliveries the account has", async () => {
    const { generationId } = await complete("curlew", newId());
    const plans = await explainStatements(fixture.database, (sql) => explainJob(sql, generationId));
    expect(Math.max(...plans.map(countRowsRead))).toBeLessThanOrEqual(300);
    expect(await explainJob(fixture.database, newId())).toBeNull();
  });
});
