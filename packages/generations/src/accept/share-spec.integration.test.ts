import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptGeneration, insertAlone } from "./accept.ts";
import { acceptRequest, imagePlan, openFixture, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const [render] = imagePlan.renders;
if (render === undefined) throw new Error("the plan has an image");

const prompt = "a lighthouse at dusk ".repeat(1_500);
const { seed: _, ...withoutSeed } = { ...render.spec, prompt, seed: 1 };
const plan = {
  ...imagePlan,
  renders: [
    { ...render, spec: { ...withoutSeed, seed: 1 } },
    { ...render, spec: { ...withoutSeed, seed: 2, references: [] } },
    // Without a property of the first.
    { ...render, spec: withoutSeed },
    { ...render, spec: { ...withoutSeed, seed: 4, negativePrompt: "rain" } },
  ],
} as typeof imagePlan;

it("stores the whole spec of each render, and sends common texts once", async () => {
  const accountId = await fixture.makeAccount();
  let sentBytes = 0;
  const request = acceptRequest({ accountId, plan });
  const acceptance = await acceptGeneration(fixture.database, request, (insert) => {
    const texts = insert.bound[1].filter((value) => typeof value === "string");
    sentBytes = texts.join("").length;
    return insertAlone(fixture.database, insert);
  });
  const stored = await fixture.database.query<{ spec: object }>(
    "SELECT spec FROM render WHERE generation_id = $1 ORDER BY position",
    [acceptance.generationId],
  );
  const specs = plan.renders.map(({ spec }) => JSON.parse(JSON.stringify(spec)) as object);
  expect(stored.map(({ spec }) => spec)).toEqual(specs);
  // The first, the one that lacks a property, and the words that are searched.
  expect(sentBytes).toBeLessThan(3.5 * prompt.length);
});
