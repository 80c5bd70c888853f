import { newId, type Sql } from "@atelier/database";
import type { GenerationPlan, PlannedRender } from "@atelier/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordIntent } from "../claims/provider-calls.ts";
import { finishRender, type RenderMark } from "../endings/finish.ts";
import { changeNote } from "../library/change-note.ts";
import { keepJob, releaseJob } from "../library/keep-job.ts";
import { redactJobs } from "../retention/redact.ts";
import { repairs, repeatBackfill } from "../retention/backfills.ts";
import { deleteImages, expireImages } from "../retention/retain.ts";
import {
  decision,
  imagePlan,
  imagesOf,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { findGeneration, findGenerations, type FoundGeneration } from "./find.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** Text of the request, which no result has. */
const word = "marzipan";

/** A plan of several images, whose specs have the properties. */
function planOf(specs: readonly object[]): GenerationPlan {
  const [made] = imagePlan.renders as readonly [PlannedRender];
  return {
    ...imagePlan,
    request: { prompt: word },
    renders: specs.map((spec) => ({
      ...made,
      spec: { ...made.spec, prompt: word, texts: [{ path: "prompt", text: word }], ...spec },
    })),
  };
}

const plain = planOf([{}]);

async function complete(
  plan: GenerationPlan,
  marks: readonly (RenderMark | null)[] = [],
  order = plan.renders.map((_, index) => index),
): Promise<AcceptedGeneration> {
  const job = await fixture.accept({ plan });
  for (const index of order) await finish(job, index, marks[index] ?? null);
  return job;
}

async function finish(
  { renders }: AcceptedGeneration,
  index: number,
  mark: RenderMark | null = null,
): Promise<void> {
  const claim = await fixture.claim(renders[index]);
  const callId = (await recordIntent(fixture.database, claim, decision)) ?? "";
  const images = imagesOf(claim).map((image, at) => ({
    ...image,
    sha256: newId().replaceAll("-", "").repeat(2),
    sizeBytes: 100 * index + at,
    flattened: image.format === "jpeg",
  }));
  await finishRender(fixture.database, claim, images, { callId }, mark);
}

const markOf = (watermarkId: string | null): RenderMark => ({
  watermarkId,
  perceptualHash: "0".repeat(64),
  parentWatermarks: [],
  synthetic: null,
  hasDossier: false,
});

/** A job as it is shown: absent properties are the same as empty ones. */
function shown(generation: FoundGeneration | null | undefined): unknown {
  const json = JSON.stringify(generation, (_, value: unknown) => {
    if (typeof value === "bigint") return Number(value);
    return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
  });
  return JSON.parse(json ?? "null");
}

/** The job as its rows say it: read in a transaction that removes its result and is rolled back. */
async function readRows({ accountId, generationId }: AcceptedGeneration): Promise<unknown> {
  const rollback = new Error("rolled back");
  let found: unknown;
  await fixture.database
    .transaction(async (sql) => {
      await sql.query("UPDATE generation SET result = NULL WHERE id = $1", [generationId]);
      found = shown(await findGeneration(sql, { accountId, generationId }));
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return found;
}

/** Reads a job, and counts its statements. */
async function read({ accountId, generationId }: AcceptedGeneration) {
  const { database } = fixture;
  let statements = 0;
  const counted: Sql = {
    query(text, values) {
      statements += 1;
      return database.query(text, values);
    },
  };
  const found = await findGeneration(counted, { accountId, generationId });
  return { found, statements };
}

async function expectSame(job: AcceptedGeneration): Promise<void> {
  const rows = await readRows(job);
  expect(shown((await read(job)).found)).toEqual(rows);
  const listed = (await findGenerations(fixture.database, [job.generationId])).get(
    job.generationId,
  );
  const { request: _request, book: _book, ...common } = rows as Record<string, unknown>;
  expect(shown(listed)).toMatchObject(common);
}

async function storedResult({ generationId }: AcceptedGeneration): Promise<unknown> {
  const [row] = await fixture.database.query<{ result: unknown }>(
    "SELECT result FROM generation WHERE id = $1",
    [generationId],
  );
  return row?.result;
}

const targetOf = ({ accountId, generationId }: AcceptedGeneration) => ({
  owner: { accountId },
  generationId,
  quotaBytes: 1_000_000_000,
});

/** Each change of what a completed job shows, as this version makes it. */
const changes: Readonly<Record<string, (job: AcceptedGeneration) => Promise<unknown>>> = {
  note: async (job) =>
    changeNote(fixture.database, await fixture.callerOf(job.accountId), targetOf(job), {
      starred: true,
    }),
  "removed note": async (job) =>
    changeNote(fixture.database, await fixture.callerOf(job.accountId), targetOf(job), {
      starred: false,
    }),
  keep: async (job) =>
    keepJob(fixture.database, await fixture.callerOf(job.accountId), {
      ...targetOf(job),
      quotaBytes: 1e9,
    }),
  release: async (job) =>
    releaseJob(fixture.database, await fixture.callerOf(job.accountId), targetOf(job)),
  deletion: (job) => deleteImages(fixture.database, job),
  expiry: ({ renders }) => expireImages(fixture.database, renders.slice(0, 1)),
  redaction: ({ generationId }) => redactJobs(fixture.database, [generationId]),
};

/** The same changes, by the statements of versions that know no result. */
const earlierChanges: Readonly<Record<string, string>> = {
  note: `INSERT INTO job_note (account_id, generation_id, starred)
         SELECT account_id, id, true FROM generation WHERE id = $1 ON CONFLICT DO NOTHING`,
  keep: `INSERT INTO kept_item (id, account_id, kind, status)
         SELECT id, account_id, 'job', 'requested' FROM generation WHERE id = $1 ON CONFLICT DO NOTHING`,
  deletion: `UPDATE image SET deleted_at = now() FROM render
              WHERE render.id = render_id AND generation_id = $1 AND deleted_at IS NULL`,
  redaction: `WITH redacted AS (UPDATE generation SET request = '{}', metadata = '{}', title = NULL, redacted_at = now()
                                 WHERE id = $1 RETURNING id)
              UPDATE render SET spec = jsonb_build_object('seed', spec->'seed') FROM redacted
               WHERE generation_id = redacted.id`,
};

describe("a completed image", () => {
  it("is read with one statement", async () => {
    const { found, statements } = await read(await complete(plain));
    expect(found?.renders[0]?.images.map(({ format }) => format)).toEqual([
      "png",
      "jpeg",
      "webp",
      "thumbnail",
    ]);
    expect(statements).toBe(1);
  });

  it("has a row below 3 kB, also of four images", async () => {
    const job = await complete(planOf([{}, {}, {}, {}]));
    expect((await read(job)).statements).toBe(1);
    const [row] = await fixture.database.query<{ bytes: number }>(
      "SELECT pg_column_size(generation.*) AS bytes FROM generation WHERE id = $1",
      [job.generationId],
    );
    expect(row?.bytes).toBeLessThan(3_000);
  });

  it("has a result without any text of its request", async () => {
    const job = await complete(plain);
    expect(JSON.stringify(await storedResult(job))).not.toContain(word);
  });

  it.each([
    ["five images", planOf([{}, {}, {}, {}, {}])],
    ["a story", storyPlan],
    ["engine commands in a prompt", planOf([{ engineCommands: ["--ar 16:9"] }])],
    ["a title", planOf([{ title: word }])],
    [
      "a reference that no image was made with",
      planOf([
        {
          references: [{ role: "unused", source: { kind: "stored", key: "a", path: "images.0" } }],
        },
      ]),
    ],
  ])("of %s has no result, and is read by its rows", async (_name, plan) => {
    const job = await complete(plan);
    expect(await storedResult(job)).toBeNull();
    expect((await read(job)).found?.status).toBe("completed");
  });

  it.each(["note", "keep"])("shows a %s from before the triggers existed", async (change) => {
    const job = await fixture.accept({ plan: plain });
    const claim = await fixture.claim(job.renders[0]);
    await fixture.database.query(earlierChanges[change] ?? "", [job.generationId]);
    await fixture.database.query("UPDATE generation SET marks = 0 WHERE id = $1", [
      job.generationId,
    ]);
    const callId = (await recordIntent(fixture.database, claim, decision)) ?? "";
    await finishRender(fixture.database, claim, imagesOf(claim), { callId });
    expect(await storedResult(job)).toBeNull();
  });

  it("shows a note that is committed while its image is finished", async () => {
    const job = await fixture.accept({ plan: plain });
    const claim = await fixture.claim(job.renders[0]);
    const callId = (await recordIntent(fixture.database, claim, decision)) ?? "";
    let finished: Promise<unknown> | undefined;
    await fixture.database.transaction(async (sql) => {
      await sql.query(earlierChanges["note"] ?? "", [job.generationId]);
      finished = finishRender(fixture.database, claim, imagesOf(claim), { callId });
      await fixture.untilBlocked("WITH open AS");
    });
    await finished;
    expect(await storedResult(job)).toBeNull();
    expect((await read(job)).found?.note).toEqual({ title: null, starred: true });
  });
});

it("shows what its rows say, whatever the images are and however the job changes", async () => {
  expect.hasAssertions();
  const spec = fc.record(
    {
      seed: fc.nat(),
      scaledFrom: fc.record({ width: fc.nat(), height: fc.nat() }),
      task: fc.constant({ kind: "upscale", factor: 2 }),
    },
    { requiredKeys: ["seed"] },
  );
  const job = fc.record({
    specs: fc.array(spec, { minLength: 1, maxLength: 5 }),
    // In few jobs, so that most have a result.
    text: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom({ title: word }, { engineCommands: ["--v 6"] }) },
    ),
    marks: fc.array(fc.constantFrom("none", "without", "with"), { minLength: 5, maxLength: 5 }),
    isReversed: fc.boolean(),
    changes: fc.array(
      fc.oneof(
        fc.constantFrom(...Object.keys(changes)).map((name) => ({ name, isEarlier: false })),
        fc.constantFrom(...Object.keys(earlierChanges)).map((name) => ({ name, isEarlier: true })),
      ),
      { maxLength: 4 },
    ),
  });
  let watermarks = 0;
  await fc.assert(
    fc.asyncProperty(job, async (wanted) => {
      const marks = wanted.marks.map((kind) =>
        kind === "none"
          ? null
          : markOf(kind === "with" ? (++watermarks).toString(16).padStart(16, "0") : null),
      );
      const order = wanted.specs.map((_, index) => index);
      if (wanted.isReversed) order.reverse();
      const specs = wanted.specs.map((one, index) =>
        index === 0 ? { ...one, ...wanted.text } : one,
      );
      const made = await complete(planOf(specs), marks, order);
      await expectSame(made);
      for (const { name, isEarlier } of wanted.changes) {
        const change = isEarlier
          ? fixture.database.query(earlierChanges[name] ?? "", [made.generationId])
          : changes[name]?.(made);
        // Refused ones, such as to keep a job without images, change nothing.
        await Promise.resolve(change).catch(() => undefined);
        await expectSame(made);
      }
    }),
    { numRuns: 40 },
  );
});

it.each(Object.entries(earlierChanges))(
  "loses its result by the %s of a process of an earlier version",
  async (_name, text) => {
    const job = await complete(plain);
    expect(await storedResult(job)).not.toBeNull();
    await fixture.database.query(text, [job.generationId]);
    expect(await storedResult(job)).toBeNull();
    await expectSame(job);
  },
);

it.each(["result", "rows"])("loses a wrong result by a repair: %s changed", async (changed) => {
  const job = await complete(plain);
  const repair = repairs.find(({ name }) => name === "results");
  if (repair === undefined) throw new Error("there is no such repair");
  expect(await repeatBackfill(fixture.database, repair)).toBe(0);
  await fixture.database.transaction(async (sql) => {
    // A writer that forgets the result.
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      changed === "result"
        ? `UPDATE generation SET result = '[]' WHERE id = $1`
        : "UPDATE image SET width = width + 1 WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      [job.generationId],
    );
  });
  expect(await repeatBackfill(fixture.database, repair)).toBe(1);
  await expectSame(job);
});
