import type { DueDelivery } from "@atelier/events";
import type { FoundGeneration, FoundRender } from "@atelier/generations/jobs";
import { webhookPayloads, type EventType } from "@atelier/schemas";
import { expect, it } from "vitest";
import { writePayload } from "./write-payload.ts";

const createdAt = new Date("2026-11-22T12:00:00Z");
const hash = "ab".repeat(32);
const id = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";

const file = {
  format: "png",
  storageKey: "a.png",
  sha256: hash,
  sizeBytes: 1,
  width: 64,
  height: 48,
  flattened: false,
  deleted: false,
} as const;

const render = (role: FoundRender["role"], name: string | null): FoundRender => ({
  role,
  status: "done",
  model: "m",
  spec: { name, state: null, title: "The sea", seed: 7, engineCommands: ["<lora:fox:1>"] },
  isWatermarked: true,
  images: [file],
});

const story: FoundGeneration = {
  id,
  kind: "story",
  operation: "story",
  status: "completed",
  mode: "live",
  model: "m",
  request: {
    title: "A voyage",
    characters: [{ name: "Mira" }, { name: "Otto" }],
    locations: [{ name: "Beach" }],
    scenes: [{ prompt: "Mira by the sea", characters: [{ name: "Mira" }] }],
  },
  prompt: "Mira by the sea",
  metadata: { order: "1" },
  source: null,
  seed: 7n,
  key: { id, name: "shop" },
  title: "A voyage",
  note: null,
  book: null,
  chargedMicroEur: 50_000n,
  balanceAfterMicroEur: 0n,
  error: null,
  scenesTotal: 1,
  scenesCompleted: 1,
  keep: null,
  rendersTotal: 3,
  rendersCompleted: 3,
  createdAt,
  startedAt: createdAt,
  completedAt: createdAt,
  suppliedReferences: [],
  renders: [render("portrait", "Mira"), render("location", "Beach"), render("scene", null)],
};

const image: FoundGeneration = {
  ...story,
  kind: "image",
  operation: "image",
  request: { prompt: "a fox" },
  title: null,
  scenesTotal: null,
  scenesCompleted: null,
  rendersTotal: 1,
  renders: [render("image", null)],
};

const error = { error: "provider_error", message: "a fox failed", details: null } as const;
const sign = (key: string) =>
  Promise.resolve({ url: `https://images.example.com/${key}`, expiresAt: createdAt });

it.each<[EventType | "webhook.test", FoundGeneration | null, object | null]>([
  ["job.completed", story, null],
  ["job.completed", image, null],
  ["job.completed", { ...image, renders: [...image.renders, ...image.renders] }, null],
  ["job.completed", { ...image, source: { jobId: id, image: 0, text: "a fox" } }, null],
  ["job.image_completed", { ...story, status: "processing", completedAt: null }, null],
  ["job.updated", { ...image, status: "pending", startedAt: null, renders: [] }, null],
  ["job.failed", { ...image, status: "failed", error }, null],
  ["job.cancelled", { ...story, status: "cancelled" }, null],
  ["account.balance_low", null, { balance_eur: "0.90", low_balance_eur: "1.00" }],
  [
    "budget.low",
    null,
    {
      id: "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2",
      name: "Team",
      eur: "1.00",
      period: "week",
      spent_eur: "0.80",
      resets_at: "2026-12-07T00:00:00.000Z",
    },
  ],
  ["webhook.test", null, null],
])("the payload of %s has the schema of the OpenAPI document", async (type, generation, data) => {
  const delivery = { type, createdAt, data } as unknown as Parameters<typeof writePayload>[0];
  const payload: unknown = JSON.parse(await writePayload(delivery, generation, sign));
  expect(webhookPayloads[type]?.safeParse(payload).error).toBeUndefined();
  expect(JSON.stringify(payload)).not.toMatch(/Mira|Otto|Beach|The sea|a fox|lora/);
});

it.each<[string | null, Partial<FoundGeneration>]>([
  ["A voyage", {}],
  [null, { request: { characters: [{ name: "Mira" }] }, title: "Mira" }],
  ["For May", { request: {}, title: "Mira", note: { title: "For May", starred: false } }],
])("the title of a payload is one that was given: %s", async (title, changes) => {
  const delivery = { type: "job.completed", createdAt, data: null } as unknown as DueDelivery;
  const payload = JSON.parse(await writePayload(delivery, { ...story, ...changes }, sign));
  expect(payload.data.title).toBe(title);
  expect(JSON.stringify(payload)).not.toContain("Mira");
});
