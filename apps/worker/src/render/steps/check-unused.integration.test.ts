import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@atelier/configuration";
import { createDatabase, newId } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { claimRender } from "@atelier/generations/claims";
import { insertTestKey, makeImagePlan } from "@atelier/generations/testing";
import { never, online, twoColours } from "@atelier/guarded-fetch/testing";
import { createTestDatabase } from "@atelier/local-services";
import type { ReferenceSpec } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { createLogger, createWorkerMetrics } from "@atelier/telemetry";
import { startOpenAiModerationServer } from "@atelier/testing/openai-moderation";
import { expect, inject, it, onTestFinished } from "vitest";
import { workerConfig } from "../../config.ts";
import { createModeration } from "../../create-moderation.ts";
import { checkUnused } from "./check-unused.ts";
import { loadReferences } from "./load-references.ts";

const secret = "a secret that is only for tests and long enough";
const site = "pictures.example.org";
const decision = { moderator: "rules", promptHash: Buffer.alloc(32) };

/** Twenty images of another server that the request lists and no image is made with. */
const unused = Array.from({ length: 20 }, (_, index): ReferenceSpec => ({
  role: "unused",
  name: null,
  description: "",
  source: {
    kind: "url",
    url: `https://${site}/${index}`,
    path: `characters.${index}.reference_url`,
  },
}));

/** Starts what a worker needs, with OpenAI's moderation of images, and claims a render with these references. */
async function start() {
  const picture = await twoColours().png().toBuffer();
  const directory = await mkdtemp(join(tmpdir(), "atelier-unused-"));
  const storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://localhost",
    signingSecret: secret,
  });
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  const server = await startOpenAiModerationServer();
  const environment = {
    DATABASE_URL: testDatabase.url,
    STORAGE_URL: `file:${directory}`,
    PUBLIC_URL: "http://localhost",
    URL_SIGNING_SECRET: secret,
    KEY_PEPPER: secret,
    SIGNING_CERTIFICATE_CHAIN: "chain",
    SIGNING_PRIVATE_KEY: "key",
    SIGNING_TRUST_ANCHORS: "anchors",
    MODERATION: "openai",
    MODERATION_URL: `${server.url}/v1`,
    MODERATION_API_KEY: "sk-proj-atelier-test-0123456789abcdef",
    MODERATE_IMAGES: "true",
  };
  const logger = createLogger("worker", "silent");
  const { imageModerator, remoteModeration } = createModeration(
    parseConfig(workerConfig, environment),
    logger,
  );
  onTestFinished(async () => {
    remoteModeration?.close();
    await server.close();
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true });
  });
  const { fetcher } = await online({
    [site]: { http: (_request, response) => response.end(picture) },
  });
  const accountId = newId();
  await database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', $2)",
    [accountId, 1_000_000],
  );
  await insertTestKey(database, accountId);
  const plan = makeImagePlan({ model: "test-model", lane: "test-lane" });
  const [render] = plan.renders;
  if (render === undefined) throw new Error("no render");
  const spec = { ...render.spec, references: unused, hasClientImages: true };
  const accepted = await acceptGeneration(database, {
    accountId,
    keyId: accountId,
    plan: { ...plan, renders: [{ ...render, spec }] },
    deadlineMs: 60_000,
    maxUnfinishedJobs: 1,
    idempotency: null,
  });
  const [ready] = accepted.kind === "accepted" ? accepted.ready : [];
  const claim = await claimRender(database, ready?.renderId ?? "", "test-lane");
  if (claim === null) throw new Error("the render cannot be claimed");
  const metrics = createWorkerMetrics({
    certificateExpiresAt: new Date(),
    refusalCategories: [],
    lanes: [],
  });
  return { claim, server, worker: { database, storage, fetcher, imageModerator, metrics } };
}

it("fetches and moderates every image, at most eight at a time, and returns none to the model", async () => {
  const { claim, server, worker } = await start();
  let moderated = 0;
  server.score((text) => {
    if (text === "image") moderated += 1;
    return {};
  });
  let decoded = 0;
  let mostLoaded = 0;
  await checkUnused(claim, decision, worker, never, () => {
    decoded += 1;
    mostLoaded = Math.max(mostLoaded, decoded - moderated);
  });
  expect({ decoded, moderated, mostLoaded }).toEqual({
    decoded: 20,
    moderated: 20,
    mostLoaded: 8,
  });
  expect(await loadReferences(claim, worker, never)).toEqual([]);
});

it("refuses an image that the remote model refuses, with its path", async () => {
  const { claim, server, worker } = await start();
  let moderated = 0;
  server.score((text) => (text === "image" && (moderated += 1) === 12 ? { sexual: 0.9 } : {}));
  await expect(checkUnused(claim, decision, worker, never)).rejects.toMatchObject({
    code: "content_policy_violation",
    details: [{ path: "characters.11.reference_url" }],
  });
  const refusals = await worker.database.query(
    "SELECT allowed, path FROM moderation_decision WHERE generation_id = $1",
    [claim.generationId],
  );
  expect(refusals).toEqual([{ allowed: false, path: "characters.11.reference_url" }]);
});
