import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, newId } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import { insertTestKey, makeImagePlan, makeRender } from "@atelier/generations/testing";
import { never, online, twoColours } from "@atelier/guarded-fetch/testing";
import type { ReferenceSpec } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { createLogger } from "@atelier/telemetry";
import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it, onTestFinished } from "vitest";
import { discardReferences } from "../kept-references.ts";
import { discardStaged } from "../staging.ts";
import { loadReferences } from "./load-references.ts";

const picture = await twoColours().png().toBuffer();
const reference = {
  role: "style",
  name: null,
  description: "two colours",
  source: {
    kind: "url",
    url: "https://pictures.example.org/",
    path: "reference_images.0.url",
  },
} as const satisfies ReferenceSpec;
const claim = {
  renderId: "019a9f3c-5f0e-7c31-9b7d-00000000000a",
  generationId: "019a9f3c-5f0e-7c31-9b7d-00000000000b",
  position: 0,
  spec: { references: [reference], hasClientImages: true },
} as unknown as Claim;
const logger = createLogger("test", "silent");

/** Opens the storage and database of a worker, and a site that serves its picture only once. */
async function startShowingOnce() {
  const directory = await mkdtemp(join(tmpdir(), "atelier-references-"));
  const storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://localhost",
    signingSecret: "a secret of the tests, of some length",
  });
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true });
  });
  let shown = 0;
  const { fetcher } = await online({
    "pictures.example.org": {
      http: (_request, response) => response.writeHead(shown++ === 0 ? 200 : 410).end(picture),
    },
  });
  return { storage, database, fetcher };
}

it("fetches an external image once for all attempts, since its URL may expire", async () => {
  const worker = await startShowingOnce();
  const [first] = await loadReferences({ ...claim, attempt: 1 }, worker, never);
  for (const attempt of [2, 3]) {
    const [again] = await loadReferences({ ...claim, attempt }, worker, never);
    expect(again).toEqual(first);
    expect(Buffer.from(again!.original).equals(picture)).toBe(true);
  }
});

it("fetches and decodes an image once that a render uses several times", async () => {
  const worker = await startShowingOnce();
  const other = { ...reference, source: { ...reference.source, path: "reference_images.1.url" } };
  const twice = { ...claim, attempt: 1, spec: { ...claim.spec, references: [reference, other] } };
  let decoded = 0;
  const [one, two] = await loadReferences(twice, worker, never, () => {
    decoded += 1;
  });
  expect(decoded).toBe(1);
  expect(one!.original).toBe(two!.original);
});

it("keeps the external image when the provider's invalid result is discarded", async () => {
  const worker = await startShowingOnce();
  const [first] = await loadReferences({ ...claim, attempt: 1 }, worker, never);
  await discardStaged({ ...claim, attempt: 1 }, worker.storage, logger);
  expect(await loadReferences({ ...claim, attempt: 2 }, worker, never)).toEqual([first]);
});

it("reuses the external image for all scenes of a story and deletes it at the end", async () => {
  const worker = await startShowingOnce();
  const accountId = newId();
  await worker.database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 1000000)",
    [accountId],
  );
  await insertTestKey(worker.database, accountId);
  const wanted = { model: "test-model", lane: "test-lane" };
  const accepted = await acceptGeneration(worker.database, {
    accountId,
    keyId: accountId,
    plan: {
      ...makeImagePlan(wanted),
      kind: "story",
      renders: [makeRender("scene", wanted), makeRender("scene", wanted, [0])],
    },
    deadlineMs: 60_000,
    maxUnfinishedJobs: 1,
    idempotency: null,
  });
  const [ready] = accepted.kind === "accepted" ? accepted.ready : [];
  const otherClaim = { ...claim, generationId: accepted.generationId, attempt: 1 };
  const first = { ...otherClaim, renderId: ready?.renderId ?? "" };
  const second = { ...otherClaim, renderId: newId(), position: 1 };
  const loaded = await loadReferences(first, worker, never);
  await discardStaged(first, worker.storage, logger);
  expect(await loadReferences(second, worker, never)).toEqual(loaded);
  await discardReferences(second, { ...worker, logger });
  await expect(loadReferences(second, worker, never)).rejects.toMatchObject({
    code: "reference_unreachable",
  });
});

it("deletes the external image when the generation has ended", async () => {
  const worker = await startShowingOnce();
  await loadReferences({ ...claim, attempt: 1 }, worker, never);
  await discardReferences({ ...claim, attempt: 1 }, { ...worker, logger });
  await expect(loadReferences({ ...claim, attempt: 2 }, worker, never)).rejects.toMatchObject({
    code: "reference_unreachable",
    details: [{ path: "reference_images.0.url" }],
  });
});
