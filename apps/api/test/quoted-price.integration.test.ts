import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  batch,
  jobAccepted,
  mintedKey,
  modelList,
  namesOf,
  operations,
  quote,
  type KeyMode,
  type UploadResponse,
} from "@atelier/schemas";
import { startStack, type Stack } from "@atelier/testing";
import * as fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createClient } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/* Everything that changes a price is here: images, sizes, steps of the engine, tools afterwards, batches, fallbacks, test keys. */

const model = {
  description: "Answers as a test tells it to.",
  provider_model: "fake",
  supports_multiturn: true,
  max_reference_images: 5,
  operations: ["image", "story", "scene", "edit", "combine"] as const,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  client_may_set: { steps: { min: 10, max: 30 } },
  defaults: { steps: 20 },
  retires_at: null,
  successor: null,
};

const models = [
  {
    ...model,
    id: "dear",
    name: "dear",
    provider: "fake-blind",
    prices_eur: { "1K": "0.07", "2K": "0.11" },
    price_per_step: { "1K": "0.0013", "2K": "0.0017" },
    batch_price_factor: 0.5,
    fallback: "cheap",
  },
  {
    ...model,
    id: "cheap",
    name: "cheap",
    provider: "fake-resumable",
    prices_eur: { "1K": "0.03", "2K": "0.05" },
    price_per_step: { "1K": "0.0011", "2K": "0.0013" },
    batch_price_factor: 0.33,
  },
];

let directory: string;
let stack: Stack;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-quoted-price-"));
  const files = {
    CATALOGUE_FILE: join(directory, "catalogue.json"),
    PROVIDERS_FILE: join(directory, "providers.json"),
  };
  const kind = "custom";
  const providers = { "fake-blind": { kind }, "fake-resumable": { kind } };
  await writeFile(files.CATALOGUE_FILE, JSON.stringify({ models }));
  await writeFile(files.PROVIDERS_FILE, JSON.stringify({ providers }));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: { ...files, OTHER_REQUESTS_PER_MINUTE: "1000000" },
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const made = fc.oneof(
  fc.record({ isFake: fc.constant(true), operation: fc.constantFrom(...model.operations) }),
  fc.record({ isFake: fc.constant(false), operation: fc.constantFrom(...namesOf(operations)) }),
);

const settings = fc.record({
  mode: fc.constantFrom<KeyMode[]>("live", "live", "test"),
  isInBatch: fc.boolean(),
  fields: fc.record({
    n: optional(fc.integer({ min: 1, max: 4 })),
    image_size: optional(fc.constantFrom("1K", "2K")),
    parameters: optional(fc.record({ steps: fc.integer({ min: 10, max: 30 }) })),
    after: optional(
      fc.constantFrom(["remove-background"], ["upscale:2"], ["upscale:2", "vectorize"]),
    ),
  }),
});

/** An operation with the example of its request, or that for a fake model, and fields to add to it. */
const orders = fc.tuple(made, settings).map(([one, more]) => ({ ...one, ...more }));
type Order = typeof orders extends fc.Arbitrary<infer Value> ? Value : never;

/** Leaves out fields that the operation does not have. */
function bodyOf({ fields, isFake, operation }: Order, uploadId: string): object {
  const [[, example] = ["", {}]] = Object.values(operations[operation].examples);
  const text = JSON.stringify({ ...example, ...(isFake && { model: "dear" }), ...fields });
  const body = JSON.parse(text.replaceAll(/"job_id":"[^"]+"/g, `"upload_id":"${uploadId}"`));
  const parsed = operations[operation].request.safeParse(body);
  if (parsed.success) return body as object;
  const unknown = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : [],
  );
  return Object.fromEntries(
    Object.entries(body as object).filter(([key]) => !unknown.includes(key)),
  );
}

/** Sends a request, and returns the price of its job in EUR; null when it is refused. */
async function priceOfJob(key: string, order: Order, body: object): Promise<string | null> {
  const { isInBatch, operation } = order;
  const path = isInBatch ? "/v1/batches" : `/v1/generate/${operation}`;
  const sent = isInBatch ? { requests: [{ operation, body }] } : body;
  const response = await stack.request({ key }, "POST", path, sent, { Prefer: "respond-async" });
  if (response.status !== 202) return null;
  const answer: unknown = await response.json();
  const [column, id] = isInBatch
    ? (["batch_id", batch.parse(answer).id] as const)
    : (["id", jobAccepted.parse(answer).job_id] as const);
  const [found] = await eventually(
    () =>
      stack.database.query<{ price: string | null }>(
        `SELECT (price_micro_eur / 1e6)::float8::text AS price FROM generation WHERE ${column} = $1
         UNION ALL SELECT NULL FROM batch_refusal WHERE batch_id = $1`,
        [id],
      ),
    (rows) => rows.length > 0,
  );
  return found?.price ?? null;
}

it.each([false, true])(
  "the quote of a request is the price of its job, with the provider's circuit open: %s",
  async (isOpen) => {
    const { account: owner } = await createClient(stack);
    await stack.database.query(
      isOpen
        ? `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
           VALUES ('fake-blind', 3, gen_random_uuid(), now() + interval '1 h', 'status 500')`
        : "DELETE FROM lane_health",
    );
    await eventually(
      async () => {
        const response = await stack.request(owner, "GET", "/v1/models");
        return modelList.parse(await response.json()).models.find(({ id }) => id === "dear")
          ?.status;
      },
      (status) => status === (isOpen ? "degraded" : "available"),
    );
    const png = await sharp({
      create: { width: 64, height: 48, channels: 3, background: "teal" },
    })
      .png()
      .toBuffer();
    const prices = new Set<string>();
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { account } = await createClient(stack, "1000.00");
        const minted = await stack.request(account, "POST", "/v1/keys", {
          name: "x",
          mode: order.mode,
        });
        const { key } = mintedKey.parse(await minted.json());
        const uploaded = await fetch(`${stack.url}/v1/uploads`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/png" },
          body: png,
        });
        const body = bodyOf(order, ((await uploaded.json()) as UploadResponse).id);
        const { isInBatch, operation } = order;
        const answer = await stack.request({ key }, "POST", "/v1/quotes", {
          operation,
          request: body,
          in_batch: isInBatch,
        });
        const quoted = answer.status === 200 ? quote.parse(await answer.json()).price_eur : null;
        const price = await priceOfJob(key, order, body);
        expect(price === null ? null : Number(price)).toBe(quoted === null ? null : Number(quoted));
        if (price !== null) prices.add(price);
      }),
      { numRuns: 30 },
    );
    // Not all were refused.
    expect(prices.size).toBeGreaterThan(2);
  },
);
