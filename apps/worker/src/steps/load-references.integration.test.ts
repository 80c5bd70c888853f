import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@atelier/database";
import type { Claim } from "@atelier/generations";
import { never, online, twoColours } from "@atelier/guarded-fetch/testing";
import type { ReferenceSpec } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { createLogger } from "@atelier/telemetry";
import { expect, inject, it, onTestFinished } from "vitest";
import { discardMade, discardStaged } from "../staging.ts";
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
  spec: { references: [reference] },
} as unknown as Claim;

/** The storage and the database of a worker, and a site that shows its picture once. */
async function startShowingOnce() {
  const directory = await mkdtemp(join(tmpdir(), "atelier-references-"));
  const storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://localhost",
    signingSecret: "a secret of the tests, of some length",
  });
  const database = createDatabase({
    url: inject("postgresUrl"),
    poolSize: 1,
    applicationName: "test",
  });
  onTestFinished(async () => {
    await database.close();
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

it("fetches an image from elsewhere once for all tries, for its URL may have expired", async () => {
  const worker = await startShowingOnce();
  const [first] = await loadReferences({ ...claim, attempt: 1 }, worker, never);
  for (const attempt of [2, 3]) {
    const [again] = await loadReferences({ ...claim, attempt }, worker, never);
    expect(again).toEqual(first);
    expect(Buffer.from(again!.original).equals(picture)).toBe(true);
  }
});

it("still has it when what the provider made of it was no image, and is forgotten", async () => {
  const worker = await startShowingOnce();
  const [first] = await loadReferences({ ...claim, attempt: 1 }, worker, never);
  await discardMade({ ...claim, attempt: 1 }, worker.storage, createLogger("test", "silent"));
  expect(await loadReferences({ ...claim, attempt: 2 }, worker, never)).toEqual([first]);
});

it("keeps nothing of it once the render has ended", async () => {
  const worker = await startShowingOnce();
  await loadReferences({ ...claim, attempt: 1 }, worker, never);
  await discardStaged({ ...claim, attempt: 1 }, worker.storage, createLogger("test", "silent"));
  await expect(loadReferences({ ...claim, attempt: 2 }, worker, never)).rejects.toMatchObject({
    code: "reference_unreachable",
    details: { path: "reference_images.0.url" },
  });
});
