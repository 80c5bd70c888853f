import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { fakeModel, lanes, writeCatalogue } from "./fallback-catalogue.ts";

const vendor_price = { rules: [{ per: { image: "0.05" } }] };
const models = [
  { ...fakeModel("first", "first", "0.08"), vendor_price, charges_for_refusals: true },
  fakeModel("second", "second", "0.08"),
];

let directory: string;
let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-vendor-cost-"));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      ...(await writeCatalogue(directory, models)),
      WORKER_LANES: `${lanes.first},${lanes.second}`,
      EUR_PER_USD: "0.9",
    },
  });
  account = await stack.createAccount();
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Requests an image and returns the cost of its call. */
async function costOf(model: string): Promise<unknown> {
  const request = { model, prompt: "a lighthouse" };
  const response = await stack.request(account, "POST", "/v1/generate/image", request);
  expect([200, 502]).toContain(response.status);
  const [call] = await stack.database.query(
    `SELECT outcome, cost_basis AS basis, cost_micro AS micro, cost_micro_eur AS "microEur"
       FROM provider_call ORDER BY started_at DESC LIMIT 1`,
  );
  return call;
}

it("records what the vendor states, in EUR at the rate of the time", async () => {
  stack.provider.behave(() => ({ kind: "image", costUsd: "0.04" }));
  const cost = { basis: "reported", micro: 40_000n, microEur: 36_000n };
  expect(await costOf("second")).toEqual({ outcome: "image", ...cost });
});

it("computes the cost by the catalogue", async () => {
  stack.provider.behave(() => ({ kind: "image" }));
  const cost = { basis: "computed", micro: 50_000n, microEur: 45_000n };
  expect(await costOf("first")).toEqual({ outcome: "image", ...cost });
});

it("records the cost of a refusal that the vendor charges", async () => {
  stack.provider.behave(() => ({ kind: "refuse", categories: ["test"] }));
  const cost = { basis: "estimated", micro: 50_000n, microEur: 45_000n };
  expect(await costOf("first")).toEqual({ outcome: "refused", ...cost });
});

it("does not take a cost that it does not know for 0", async () => {
  stack.provider.behave(() => ({ kind: "image" }));
  const cost = { basis: "unknown", micro: null, microEur: null };
  expect(await costOf("second")).toEqual({ outcome: "image", ...cost });
});
