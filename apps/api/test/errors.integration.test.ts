import { randomBytes, randomUUID } from "node:crypto";
import { createKey, setSuspended } from "@atelier/accounts";
import { setKeyBudget } from "@atelier/billing";
import { createOpenApiDocument } from "@atelier/openapi";
import {
  errorStatus,
  generationResponse,
  jobAccepted,
  adminErrors,
  type AdminError,
  type ErrorCode,
  quotas,
} from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { openConnection, sendByHand } from "./support/connection.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";

/** No worker of this stack serves the lane of this model, so its jobs stay pending. */
const unfinishedImage = { ...image, model: "fake-resumable" };

/** Sends an image of a new account to an API. */
async function upload(bytes: Buffer, url = stack.url): Promise<Response> {
  const { key } = await stack.createAccount();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "image/png" };
  return fetch(`${url}/v1/uploads`, { method: "POST", headers, body: new Uint8Array(bytes) });
}

const story = {
  model: "fake-blind",
  characters: [{ name: "Mira", description: "a girl with red hair" }],
  scenes: [{ prompt: "Mira wakes up" }, { prompt: "Mira goes out" }],
};

let stack: Stack;
let client: Client;
/** Another API with low limits on the same data. */
let strictUrl: string;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl"), workers: 0 });
  client = await createClient(stack);
  const [strict] = await Promise.all([
    startSecondApi(stack, {
      GENERATIONS_PER_MINUTE: "2",
      MAX_UNFINISHED_JOBS: "1",
      MAX_ACCOUNT_EVENT_STREAMS: "1",
      IMAGE_DEADLINE_SECONDS: "1",
      UPLOAD_QUOTA_MB: "1",
      KEEP_QUOTA_MB: "0",
    }),
    stack.startWorker({ WORKER_LANES: "builtin,fake-blind" }),
  ]);
  strictUrl = strict.url;
});

afterAll(() => stack.stop());

const get = (path: string) => stack.request(client.account, "GET", path);
const tellStory = (body: object) =>
  stack.request(client.account, "POST", "/v1/generate/story", { ...story, ...body });

/** Sends a request to the API with low limits. */
function askStrictly(of: Client, body: unknown, headers?: Record<string, string>) {
  return fetch(`${strictUrl}/v1/generate/image`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${of.account.key}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** Statuses of transient errors, which have Retry-After. */
const mayPass = new Set([429, 503]);

interface Case {
  readonly produce: () => Promise<Response>;
  /** The part of the message that tells the client what to do. */
  readonly says: RegExp;
  readonly details: unknown;
}

/** Requests an image while the provider behaves in the given way. */
async function generateWhile(behaviour: Parameters<Stack["provider"]["behave"]>[0]) {
  stack.provider.behave(behaviour);
  const response = await client.generate();
  stack.provider.behave(() => ({ kind: "image" }));
  return response;
}

/** Creates a budget of 0.04 EUR in the account of a client, and puts a key into it. */
async function createTeam({ account }: Client, keyId: string): Promise<string> {
  const made = await stack.request(account, "POST", "/v1/budgets", { name: "Team", eur: "0.04" });
  const { id } = (await made.json()) as { id: string };
  await stack.request(account, "PATCH", `/v1/keys/${keyId}`, { budget_id: id });
  return id;
}

/** Invites a member of the client's account. */
async function invite(role: string, email: string | null = null): Promise<string> {
  const body = { name: "Mira", email, role };
  const invited = await stack.request(client.account, "POST", "/v1/members", body);
  return z.object({ id: z.uuid() }).parse(await invited.json()).id;
}

/**
 * One request for every error code: the type requires an entry for each new code.
 * An invalid reference image would need a server on the public Internet, which tests do without; file
 * errors are tested with the files, and those of the admin port with the console.
 */
const cases: Record<
  Exclude<ErrorCode, "reference_invalid" | "file_not_found" | AdminError>,
  Case
> = {
  invalid_request: {
    produce: () => client.generate({ model: "fake-blind" }),
    says: /^prompt is required\. Correct the request/,
    details: [{ path: "prompt", code: "required", message: "is required" }],
  },
  request_too_large: {
    produce: () => client.generate({ ...image, prompt: "x".repeat(1_100_000) }),
    says: /larger than 1 MB\. Send less/,
    details: null,
  },
  unsupported_media_type: {
    produce: () => client.generate(image, { "Content-Type": "text/plain" }),
    says: /Content-Type: application\/json/,
    details: null,
  },
  unauthorized: {
    produce: () => fetch(`${stack.url}/v1/account`),
    says: /Send your API key/,
    details: null,
  },
  assistant_off: {
    produce: () => stack.request(client.account, "POST", "/v1/assist/prompt", { prompt: "a cat" }),
    says: /no assistant\. Write the texts yourself/,
    details: null,
  },
  insufficient_credit: {
    produce: async () => (await createClient(stack, "0.049999")).generate(),
    says: /0\.05.*0\.049999/,
    details: { required_eur: "0.05", balance_eur: "0.049999" },
  },
  key_budget_exhausted: {
    async produce() {
      const limited = await createClient(stack);
      const budget = { budgetMicroEur: 40_000n, period: "total" } as const;
      await setKeyBudget(stack.database, limited.account.keyId, budget);
      return limited.generate();
    },
    says: /costs 0\.05 EUR.*spent 0\.00 of its budget of 0\.04 EUR/,
    details: { budget_eur: "0.04", spent_eur: "0.00", required_eur: "0.05", resets_at: null },
  },
  budget_exhausted: {
    async produce() {
      const limited = await createClient(stack);
      await createTeam(limited, limited.account.keyId);
      return limited.generate();
    },
    says: /costs 0\.05 EUR.*keys of the budget "Team" have spent 0\.00 of its 0\.04 EUR/,
    details: {
      budget_id: expect.any(String),
      budget_name: "Team",
      budget_eur: "0.04",
      spent_eur: "0.00",
      required_eur: "0.05",
      resets_at: null,
    },
  },
  key_not_permitted: {
    async produce() {
      const reader = await createClient(stack);
      const narrowed = await stack.request(
        reader.account,
        "PATCH",
        `/v1/keys/${reader.account.keyId}`,
        { scopes: ["read"] },
      );
      expect(narrowed.status).toBe(200);
      return reader.generate();
    },
    says: /has no scope generate\. Use a key/,
    details: { required_scope: "generate", scopes: ["read"] },
  },
  key_not_found: {
    produce: () => stack.request(client.account, "DELETE", `/v1/keys/${randomUUID()}`),
    says: /key does not exist\. GET \/v1\/keys/,
    details: null,
  },
  too_many_keys: {
    async produce() {
      const { account } = await createClient(stack);
      for (let key = 2; key <= quotas.keys.live; key++) {
        await createKey(stack.database, { accountId: account.accountId, name: "n", pepper: "p" });
      }
      return stack.request(account, "POST", "/v1/keys", { name: "one more" });
    },
    says: /100 keys of this mode, which is the limit\. Revoke one/,
    details: { max_keys: 100 },
  },
  member_not_found: {
    produce: () => stack.request(client.account, "DELETE", `/v1/members/${randomUUID()}`),
    says: /no such member\. GET \/v1\/members/,
    details: null,
  },
  member_exists: {
    async produce() {
      await invite("maker", "a@example.com");
      return stack.request(client.account, "POST", "/v1/members", {
        name: "Mira",
        email: "A@example.com",
        role: "maker",
      });
    },
    says: /has this e-mail address\. Send that member a new link/,
    details: { member_id: expect.any(String) },
  },
  member_disabled: {
    async produce() {
      const id = await invite("maker");
      await stack.request(client.account, "POST", `/v1/members/${id}/disable`);
      return stack.request(client.account, "POST", `/v1/members/${id}/link`);
    },
    says: /is disabled\. Enable it/,
    details: null,
  },
  last_owner: {
    async produce() {
      const id = await invite("owner");
      return stack.request(client.account, "DELETE", `/v1/members/${id}`);
    },
    says: /last owner of the account\. Make another/,
    details: null,
  },
  account_suspended: {
    async produce() {
      const suspended = await createClient(stack);
      await setSuspended(stack.database, suspended.account.accountId, true);
      return suspended.generate();
    },
    says: /suspended\. Ask the operator/,
    details: null,
  },
  url_expired: {
    async produce() {
      const { STORAGE_URL: url = "", URL_SIGNING_SECRET: signingSecret = "" } = stack.environment;
      const anHourAgo = () => Date.now() - 3_600_000;
      const storage = await createStorage({
        url,
        publicUrl: stack.url,
        signingSecret,
        now: anHourAgo,
      });
      const options = { expiresInSeconds: 60, downloadName: "a.png" };
      return fetch((await storage.sign("a.png", options)).url);
    },
    says: /has expired\. Read the job again/,
    details: null,
  },
  url_invalid: {
    async produce() {
      const generated = await client.generate();
      const { image_url = "" } = generationResponse.parse(await generated.json());
      return fetch(image_url.replace(/signature=../, "signature=00"));
    },
    says: /signature of this image URL is invalid.*read the job again/,
    details: null,
  },
  not_found: {
    produce: () => get("/v1/pictures"),
    says: /GET \/v1\/pictures does not exist\. Correct/,
    details: null,
  },
  model_not_found: {
    produce: () => client.generate({ ...image, model: "dall-e" }),
    says: /GET \/v1\/models lists/,
    details: [
      {
        path: "model",
        code: "model_not_found",
        message: expect.stringContaining('"dall-e"'),
        successor: null,
      },
    ],
  },
  job_not_found: {
    produce: () => get("/v1/jobs/0192aaaa-0000-7000-8000-000000000000"),
    says: /GET \/v1\/jobs lists your jobs/,
    details: null,
  },
  idempotency_in_progress: {
    async produce() {
      const held = holdCalls(stack.provider);
      const headers = { "Idempotency-Key": "in-progress" };
      const first = client.generate(image, headers);
      await held.called;
      const second = await client.generate(image, headers);
      held.release();
      expect((await first).status).toBe(200);
      stack.provider.behave(() => ({ kind: "image" }));
      return second;
    },
    says: /Send it again later, or read the job/,
    details: { job_id: expect.any(String) },
  },
  job_cancelled: {
    async produce() {
      const other = await createClient(stack);
      const waiting = other.generate(unfinishedImage);
      const { jobs } = await eventually(
        () => other.list(),
        (page) => page.jobs.length > 0,
      );
      expect((await other.cancel(jobs[0]?.id ?? "")).status).toBe(200);
      return waiting;
    },
    says: /nothing was charged.*send the request again/,
    details: null,
  },
  job_not_cancellable: {
    async produce() {
      const response = await client.generate();
      return client.cancel(response.headers.get("X-Service-Job-Id") ?? "");
    },
    says: /Only a job that is not final can be cancelled/,
    details: { status: "completed" },
  },
  batch_not_found: {
    produce: () =>
      stack.request(client.account, "GET", "/v1/batches/019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"),
    says: /GET \/v1\/batches lists your batches/,
    details: null,
  },
  character_not_found: {
    produce: () =>
      stack.request(client.account, "GET", "/v1/characters/019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"),
    says: /GET \/v1\/characters lists your characters/,
    details: null,
  },
  location_not_found: {
    produce: () =>
      stack.request(client.account, "DELETE", "/v1/locations/019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"),
    says: /GET \/v1\/locations lists your locations/,
    details: null,
  },
  upload_not_found: {
    produce: () =>
      stack.request(client.account, "GET", "/v1/uploads/019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"),
    says: /send the image again/,
    details: null,
  },
  upload_quota_exceeded: {
    produce: () => upload(randomBytes(1_100_000), strictUrl),
    says: /Delete uploads that are not needed/,
    details: { quota_bytes: 1_000_000 },
  },
  keep_quota_exceeded: {
    async produce() {
      const jobId = await client.accept();
      await client.untilFinal(jobId);
      return fetch(`${strictUrl}/v1/jobs/${jobId}/keep`, {
        method: "POST",
        headers: { Authorization: `Bearer ${client.account.key}` },
      });
    },
    says: /The account keeps 0\.0 of 0\.0 MB.*Stop keeping jobs that are not needed/,
    details: {
      used_bytes: 0,
      quota_bytes: 0,
      required_bytes: expect.any(Number),
      largest: [],
    },
  },
  upload_invalid: {
    produce: () => upload(Buffer.from("this is not an image, but a text of some length")),
    says: /Send a PNG, JPEG, WebP or AVIF/,
    details: [expect.objectContaining({ reason: "not_an_image" })],
  },
  job_not_final: {
    async produce() {
      const jobId = await client.accept(unfinishedImage);
      const response = await stack.request(client.account, "GET", `/v1/jobs/${jobId}/archive`);
      await client.cancel(jobId);
      return response;
    },
    says: /Wait until it is completed, or cancel it/,
    details: { status: "pending" },
  },
  collection_not_found: {
    produce: () => get(`/v1/collections/${randomUUID()}`),
    says: /no collection with this id\. GET \/v1\/collections/,
    details: null,
  },
  budget_not_found: {
    produce: () => get(`/v1/budgets/${randomUUID()}`),
    says: /no budget with this id\. GET \/v1\/budgets/,
    details: null,
  },
  budget_in_use: {
    async produce() {
      const owner = await createClient(stack);
      const made = await stack.request(owner.account, "POST", "/v1/keys", { name: "member" });
      const { id: keyId } = (await made.json()) as { id: string };
      const budgetId = await createTeam(owner, keyId);
      return stack.request(owner.account, "DELETE", `/v1/budgets/${budgetId}`);
    },
    says: /has 1 key, .*move or revoke/,
    details: { keys: 1, members: 0 },
  },
  preset_not_found: {
    produce: () => get(`/v1/presets/${randomUUID()}`),
    says: /no preset with this id\. GET \/v1\/presets/,
    details: null,
  },
  share_not_found: {
    produce: () => get(`/v1/shares/${randomUUID()}`),
    says: /no share with this id\. GET \/v1\/shares/,
    details: null,
  },
  too_many_items: {
    async produce() {
      const other = await createClient(stack);
      await stack.database.query(
        `INSERT INTO job_note (account_id, generation_id, starred)
         SELECT $1, gen_random_uuid(), true FROM generate_series(1, 10000)`,
        [other.account.accountId],
      );
      const path = `/v1/jobs/${await other.accept()}`;
      const response = await stack.request(other.account, "PATCH", path, { starred: true });
      await stack.database.query("DELETE FROM job_note WHERE account_id = $1", [
        other.account.accountId,
      ]);
      return response;
    },
    says: /10000 starred jobs.*Remove some/,
    details: { max_items: 10_000 },
  },
  job_redacted: {
    async produce() {
      const jobId = await client.accept();
      await client.untilFinal(jobId);
      await stack.database.query(
        "UPDATE generation SET request = '{}', metadata = '{}', redacted_at = now() WHERE id = $1",
        [jobId],
      );
      return stack.request(client.account, "PATCH", `/v1/jobs/${jobId}`, { title: "Fox" });
    },
    says: /takes no title and no book/,
    details: null,
  },
  images_in_use: {
    async produce() {
      const first = generationResponse.parse(await (await client.generate()).json());
      const user = await client.accept({
        ...unfinishedImage,
        reference_images: [{ description: "it", url: first.image_url }],
      });
      const path = `/v1/jobs/${first.id}/images`;
      const response = await stack.request(client.account, "DELETE", path);
      await client.cancel(user);
      return response;
    },
    says: /Wait until it is done, or cancel it/,
    details: null,
  },
  model_not_capable: {
    produce: () => tellStory({ model: "builtin-pattern" }),
    says: /does not support story. Use a model whose operations include "story"/,
    details: [expect.objectContaining({ path: "model", capability: "story" })],
  },
  unsupported_aspect_ratio: {
    produce: () => client.generate({ ...image, aspect_ratio: "21:9" }),
    says: /Use one of 1:1, 16:9/,
    details: [expect.objectContaining({ path: "aspect_ratio", supported: ["1:1", "16:9"] })],
  },
  unsupported_image_size: {
    produce: () => client.generate({ ...image, image_size: "8K" }),
    says: /Use one of 1K/,
    details: [expect.objectContaining({ path: "image_size", supported: ["1K"] })],
  },
  references_not_supported: {
    produce: () =>
      client.generate({
        model: "builtin-pattern",
        prompt: "tiles",
        reference_images: [{ description: "tiles", url: "https://example.com/tiles.png" }],
      }),
    says: /Omit reference_images/,
    details: [expect.objectContaining({ path: "reference_images", max: 0 })],
  },
  unknown_character: {
    produce: () =>
      tellStory({ scenes: [{ prompt: "one", characters: [{ name: "Otto" }] }, { prompt: "two" }] }),
    says: /Otto.*Correct the request/,
    details: [expect.objectContaining({ path: "scenes.0.characters.0.name" })],
  },
  unknown_state: {
    produce: () =>
      tellStory({
        scenes: [
          { prompt: "one" },
          { prompt: "two", characters: [{ name: "Mira", state: "asleep" }] },
        ],
      }),
    says: /asleep.*Correct the request/,
    details: [expect.objectContaining({ path: "scenes.1.characters.0.state" })],
  },
  unknown_location: {
    produce: () => tellStory({ scenes: [{ prompt: "one", location: "Moon" }, { prompt: "two" }] }),
    says: /Moon.*Correct the request/,
    details: [expect.objectContaining({ path: "scenes.0.location" })],
  },
  duplicate_name: {
    produce: () => tellStory({ characters: [...story.characters, ...story.characters] }),
    says: /Mira.*Correct the request/,
    details: [expect.objectContaining({ path: "characters.1.name" })],
  },
  reference_unreachable: {
    produce: () =>
      client.generate({
        ...image,
        reference_images: [{ description: "inside", url: "https://127.0.0.1/inside.png" }],
      }),
    says: /Use a public HTTPS URL/,
    details: [expect.objectContaining({ path: "reference_images.0.url" })],
  },
  diagram_invalid: {
    produce: () =>
      stack.request(client.account, "POST", "/v1/generate/diagram", {
        model: "builtin-diagram",
        source: "flowchart LR\n  A => B",
        language: "mermaid",
      }),
    says: /Correct line 2, column 5 of source/,
    details: [
      expect.objectContaining({ path: "source", code: "diagram_invalid", line: 2, column: 5 }),
    ],
  },
  image_invalid: {
    produce: () =>
      fetch(`${stack.url}/verify`, {
        method: "POST",
        headers: { "Content-Type": "image/png" },
        body: "not an image",
      }),
    says: /PNG, JPEG, WebP, AVIF or GIF/,
    details: null,
  },
  content_policy_violation: {
    produce: () => client.generate({ ...image, prompt: "a severed head on a table" }),
    says: /Change the text that details\[0\]\.path names; nothing was charged/,
    details: [expect.objectContaining({ category: "gore", strictness: "normal", path: "prompt" })],
  },
  idempotency_key_reused: {
    async produce() {
      const headers = { "Idempotency-Key": "reused", Prefer: "respond-async" };
      await client.generate(image, headers);
      return client.generate({ ...image, prompt: "another" }, headers);
    },
    says: /Use a new key/,
    details: null,
  },
  rate_limited: {
    async produce() {
      const other = await createClient(stack);
      await askStrictly(other, {});
      await askStrictly(other, {});
      return askStrictly(other, {});
    },
    says: /2 such requests a minute\. Send the request again after Retry-After/,
    details: { limit_per_minute: 2 },
  },
  too_many_jobs: {
    async produce() {
      const other = await createClient(stack);
      await askStrictly(other, unfinishedImage, { Prefer: "respond-async" });
      return askStrictly(other, unfinishedImage);
    },
    says: /Wait until some are done, or cancel some/,
    details: { max_unfinished_jobs: 1 },
  },
  webhook_not_found: {
    produce: () => get(`/v1/webhooks/${randomUUID()}`),
    says: /no such webhook\. GET \/v1\/webhooks/,
    details: null,
  },
  delivery_not_found: {
    produce: () => stack.request(client.account, "POST", `/v1/deliveries/${randomUUID()}/retry`),
    says: /no such delivery.*GET \/v1\/webhooks\/\{id\}\/deliveries/,
    details: null,
  },
  too_many_webhooks: {
    async produce() {
      const other = await createClient(stack);
      const body = { url: "https://example.com/hook", events: ["job.completed"] };
      const create = () => stack.request(other.account, "POST", "/v1/webhooks", body);
      for (let count = 0; count < 20; count++) expect((await create()).status).toBe(201);
      return create();
    },
    says: /20 webhooks.*Delete one/,
    details: { max_webhooks: 20 },
  },
  webhook_secret_missing: {
    produce: () => client.generate({ ...image, webhook_url: "https://example.com/hook" }),
    says: /no secret.*POST \/v1\/account\/webhook-secret, or omit webhook_url/,
    details: [
      {
        path: "webhook_url",
        code: "webhook_secret_missing",
        message: expect.any(String) as string,
      },
    ],
  },
  too_many_streams: {
    async produce() {
      const headers = { Authorization: `Bearer ${client.account.key}` };
      const stream = await fetch(`${strictUrl}/v1/events`, { headers });
      const refused = await fetch(`${strictUrl}/v1/events`, { headers });
      await stream.body?.cancel();
      return refused;
    },
    says: /1 open event streams.*Close one/,
    details: { max_streams: 1 },
  },
  content_illegal: {
    produce: () => client.generate({ ...image, prompt: "fake passport", strictness: "liberal" }),
    says: /violates the content policy at every strictness\. Nothing was charged/,
    details: [
      expect.objectContaining({ category: "forgery", strictness: "liberal", path: "prompt" }),
    ],
  },
  internal_error: {
    produce: () => whileRenamed("generation", "title", () => get("/v1/jobs")),
    says: /Try again; if the error persists, send the request_id to the operator/,
    details: null,
  },
  provider_error: {
    produce: () => generateWhile(() => ({ kind: "fail", status: 422 })),
    says: /Change it, or use another model; nothing was charged/,
    details: { provider: "fake-blind" },
  },
  provider_refused: {
    produce: () => generateWhile(() => ({ kind: "refuse", categories: ["violence"] })),
    says: /Change the prompt; nothing was charged/,
    details: { provider: "fake-blind", stage: null, categories: ["violence"] },
  },
  overloaded: {
    produce: async () => askStrictly(await createClient(stack), unfinishedImage),
    says: /not made before its deadline\. Nothing was charged; please try again later/,
    details: null,
  },
  provider_unavailable: {
    produce: () => generateWhile(() => ({ kind: "fail", status: 402 })),
    says: /Use another one, or try again later; nothing was charged/,
    details: { provider: "fake-blind" },
  },
  shutting_down: {
    async produce() {
      const { url, program } = await startSecondApi(stack, {});
      const connection = await openConnection(url);
      void program.stop();
      await eventually(
        () => program.log(),
        (log) => log.includes("api stopping"),
      );
      connection.send("GET /v1/account HTTP/1.1\r\nHost: atelier\r\n\r\n");
      return connection.answer();
    },
    says: /Send the request again after Retry-After/,
    details: null,
  },
};

/** Renames a column during `work`, so that statements fail as with a missing migration. */
async function whileRenamed(
  table: string,
  column: string,
  ask: () => Promise<Response>,
): Promise<Response> {
  await stack.database.query(`ALTER TABLE ${table} RENAME COLUMN ${column} TO renamed_away`);
  try {
    return await ask();
  } finally {
    await stack.database.query(`ALTER TABLE ${table} RENAME COLUMN renamed_away TO ${column}`);
  }
}

describe("every error code", () => {
  for (const [code, { produce, says, details }] of Object.entries(cases) as [ErrorCode, Case][]) {
    it(`${errorStatus[code]} ${code}`, async () => {
      const response = await produce();
      const body = await readError(response);
      expect({ status: response.status, error: body.error }).toEqual({
        status: errorStatus[code],
        error: code,
      });
      expect(body.message).toMatch(says);
      expect(body.request_id).toBe(response.headers.get("X-Request-Id"));
      expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      expect(body.details).toEqual(details);
      expect(response.headers.get("Retry-After") ?? "never").toMatch(
        mayPass.has(response.status) ? /^[1-9]\d*$/ : /^(never|2)$/,
      );
      expect(response.headers.has("WWW-Authenticate")).toBe(response.status === 401);
    });
  }

  it("has exactly the statuses of the specification", () => {
    const table: Record<number, string[]> = {};
    for (const code of Object.keys(errorStatus).sort()) {
      if (Object.hasOwn(adminErrors, code)) continue;
      (table[errorStatus[code as ErrorCode]] ??= []).push(code);
    }
    expect(table).toEqual({
      400: ["invalid_request", "request_too_large", "unsupported_media_type"],
      401: ["unauthorized"],
      402: ["budget_exhausted", "insufficient_credit", "key_budget_exhausted"],
      403: ["account_suspended", "key_not_permitted", "url_expired", "url_invalid"],
      404: [
        "assistant_off",
        "batch_not_found",
        "budget_not_found",
        "character_not_found",
        "collection_not_found",
        "delivery_not_found",
        "file_not_found",
        "job_not_found",
        "key_not_found",
        "location_not_found",
        "member_not_found",
        "model_not_found",
        "not_found",
        "preset_not_found",
        "share_not_found",
        "upload_not_found",
        "webhook_not_found",
      ],
      409: [
        "budget_in_use",
        "idempotency_in_progress",
        "images_in_use",
        "job_cancelled",
        "job_not_cancellable",
        "job_not_final",
        "job_redacted",
        "keep_quota_exceeded",
        "last_owner",
        "member_disabled",
        "member_exists",
        "too_many_items",
        "too_many_keys",
        "too_many_webhooks",
        "upload_quota_exceeded",
      ],
      422: [
        "content_policy_violation",
        "diagram_invalid",
        "duplicate_name",
        "idempotency_key_reused",
        "image_invalid",
        "model_not_capable",
        "reference_invalid",
        "reference_unreachable",
        "references_not_supported",
        "unknown_character",
        "unknown_location",
        "unknown_state",
        "unsupported_aspect_ratio",
        "unsupported_image_size",
        "upload_invalid",
        "webhook_secret_missing",
      ],
      429: ["rate_limited", "too_many_jobs", "too_many_streams"],
      451: ["content_illegal"],
      500: ["internal_error"],
      502: ["provider_error", "provider_refused"],
      503: ["overloaded", "provider_unavailable", "shutting_down"],
    });
  });
});

describe("an internal failure", () => {
  it.each([
    ["a statement of ours", "generation", "title", "/v1/jobs"],
    ["a statement of the ORM", "account", "created_at", "/v1/account"],
    ["authentication", "api_key", "revoked_at", "/v1/account"],
  ])("of %s tells the operator why, and the client nothing", async (_, table, column, path) => {
    const response = await whileRenamed(table, column, () => get(path));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toMatch(/select|column|relation|prisma|postgres|node_modules|\.ts|\n/i);
    expect(text).not.toContain(column);
    const requestId = response.headers.get("X-Request-Id") ?? "";
    const line = await eventually(
      async () => (await stack.api.log()).split("\n").find((one) => one.includes(requestId)) ?? "",
      (found) => found.includes("request failed"),
    );
    expect(line).toContain(column);
    expect((await get(path)).status).toBe(200);
  });
});

const idFor = async (headers: Record<string, string>) => {
  const response = await client.generate({}, headers);
  const { request_id } = await readError(response);
  expect(response.headers.get("X-Request-Id")).toBe(request_id);
  return request_id;
};

describe("a request id", () => {
  it("is taken from the client when it is a valid token", async () => {
    for (const validId of ["order-17", "a", "0192f0c1-7e57:Trace_1.2", "x".repeat(128)]) {
      expect(await idFor({ "X-Request-Id": validId })).toBe(validId);
    }
  });

  it("is generated when the header is missing or invalid", async () => {
    const generatedId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    expect(await idFor({})).toMatch(generatedId);
    for (const invalidId of ["", "two words", "x".repeat(129), "<script>", "a,b", "é", '"a"']) {
      expect(await idFor({ "X-Request-Id": invalidId })).toMatch(generatedId);
    }
  });

  it("is on successful responses and on responses without a key", async () => {
    for (const path of ["/healthz", "/readyz", "/v1/models"]) {
      const response = await stack.request(client.account, "GET", path, undefined, {
        "X-Request-Id": "mine",
      });
      expect([response.status, response.headers.get("X-Request-Id")]).toEqual([200, "mine"]);
    }
    const refused = await fetch(`${stack.url}/v1/models`, { headers: { "X-Request-Id": "mine" } });
    expect([refused.status, (await readError(refused)).request_id]).toEqual([401, "mine"]);
  });
});

const problemsOf = async (body: unknown) => {
  const response = await client.generate(body);
  expect(response.status).toBe(400);
  return readError(response);
};

const padded = (sizeBytes: number) => {
  const text = JSON.stringify(image);
  return text + " ".repeat(sizeBytes - text.length);
};

describe("a body", () => {
  it("with an unknown property: the error names it and the nearest known one", async () => {
    const { message, details } = await problemsOf({ ...image, aspectratio: "16:9" });
    expect(message).toBe(
      'aspectratio is not a known property; did you mean "aspect_ratio"? Correct the request and send it again.',
    );
    expect(details).toEqual([
      {
        path: "aspectratio",
        code: "unknown_property",
        message: 'is not a known property; did you mean "aspect_ratio"?',
      },
    ]);
    const nested = await problemsOf({
      ...image,
      reference_images: [{ descripton: "x", description: "x", url: "https://example.com/x.png" }],
    });
    expect(nested.details).toMatchObject([
      { path: "reference_images.0.descripton", message: expect.stringContaining('"description"') },
    ]);
    const far = await problemsOf({ ...image, zzzzzzzzz: 1 });
    expect(far.message).not.toContain("did you mean");
  });

  it("with an unknown model: the error names the nearest one that the key may use", async () => {
    const own = await createClient(stack);
    const misspelt = { ...image, model: "builtin-ilustrator" };
    expect((await readError(await own.generate(misspelt))).message).toBe(
      'Model "builtin-ilustrator" does not exist. Did you mean "builtin-illustrator"? GET /v1/models lists the available models.',
    );
    const limits = { name: "limited", models: ["fake-blind"] };
    const minted = await stack.request(own.account, "POST", "/v1/keys", limits);
    const { key } = (await minted.json()) as { key: string };
    const response = await stack.request({ key }, "POST", "/v1/generate/image", misspelt);
    expect([response.status, (await readError(response)).message]).toEqual([
      404,
      expect.not.stringContaining('illustrator"?'),
    ]);
  });

  it("that is not JSON: the error has its line and column, and what is expected there", async () => {
    const response = await fetch(`${stack.url}/v1/generate/image`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${client.account.key}`,
        "Content-Type": "application/json",
      },
      body: '{\n  "model": "fake-blind"\n  "prompt": "a fox"\n}',
    });
    expect([response.status, await readError(response)]).toMatchObject([
      400,
      {
        message:
          'The body is not valid JSON: expected "," or "}" at line 3, column 3. Correct it and send it again.',
        details: [{ code: "invalid_json", line: 3, column: 3 }],
      },
    ]);
  });

  it("with several problems: details lists all of them", async () => {
    const { details } = await problemsOf({ prompt: "", aspect_ratio: 169, shade: 1 });
    expect(details).toEqual(
      ["model", "prompt", "aspect_ratio", "shade"].map((path) => expect.objectContaining({ path })),
    );
  });

  it("may contain null for optional properties", async () => {
    const response = await client.generate({
      ...image,
      aspect_ratio: null,
      image_size: null,
      reference_images: null,
      strictness: null,
    });
    expect(response.status).toBe(200);
    generationResponse.parse(await response.json());
    expect((await problemsOf({ ...image, prompt: null })).details).toMatchObject([
      { path: "prompt" },
    ]);
  });

  it.each([
    ["cut short", '{"model":'],
    ["empty", ""],
    ["not an object", "17"],
    ["null", "null"],
    ["a list", "[]"],
    ["a string", '"\\u0000"'],
    ["nested beyond reason", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["a text without an end, full of quotes", `"${'\\"'.repeat(490_000)}`],
    ["with a prototype", '{"model":"fake-blind","prompt":"x","constructor":{"prototype":1}}'],
  ])("that is %s is refused", async (_, text) => {
    const response = await client.generate(text);
    expect([response.status, (await readError(response)).error]).toEqual([400, "invalid_request"]);
  });

  it("with text that Postgres cannot store is refused", async () => {
    for (const prompt of ["a\0b", "\ud800", "\udc00 and more"]) {
      const { message, details } = await problemsOf({ ...image, prompt });
      expect(message).toContain("NUL characters or unpaired surrogates");
      expect(details).toMatchObject([{ path: "prompt", code: "invalid_text" }]);
    }
    const url = "https://example.com/\0.png";
    const nested = { ...image, reference_images: [{ description: "x", url }] };
    expect((await problemsOf(nested)).details).toMatchObject([
      { path: "reference_images.0.url", code: "invalid_text" },
    ]);
    expect((await client.generate({ ...image, prompt: "a whole 🦊" })).status).toBe(200);
  });

  it("that is not UTF-8 is refused without replacing characters", async () => {
    const text = JSON.stringify({ ...image, prompt: "café" });
    const response = await fetch(`${stack.url}/v1/generate/image`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${client.account.key}`,
        "Content-Type": "application/json",
      },
      body: Buffer.from(text, "latin1"),
    });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({
      error: "invalid_request",
      message: expect.stringContaining("not valid UTF-8"),
    });
    expect((await client.generate(text)).status).toBe(200);
  });

  it("with duplicate or dangerous properties is refused", async () => {
    const refused = async (body: string) => {
      const response = await client.generate(body);
      expect(response.status).toBe(400);
      const { error, details } = await readError(response);
      expect(error).toBe("invalid_request");
      return details;
    };
    const { model, prompt } = image;
    expect(await refused(`{"model":"${model}","prompt":"a tree", "prompt" : "a house"}`)).toEqual([
      expect.objectContaining({ path: "", code: "repeated_property" }),
    ]);
    expect(await refused(`{"model":"${model}","prompt":"x","__proto__":{"seed":1}}`)).toEqual([
      expect.objectContaining({ path: "", code: "unknown_property" }),
    ]);
    // Colons and names inside of strings are not members.
    const quotedPrompt = 'say "prompt": \\ and \\"';
    expect(
      (await client.generate({ model, prompt: `${prompt} ${quotedPrompt} {"a":1,"a":2}` })).status,
    ).toBe(200);
  });

  it("is required for options: an unknown query parameter is refused", async () => {
    for (const [method, path] of [
      ["POST", "/v1/generate/image?image_size=4K"],
      ["GET", "/v1/account?currency=USD"],
      ["POST", "/v1/files/image-generation?format=curl"],
    ] as const) {
      const response = await stack.request(
        client.account,
        method,
        path,
        method === "POST" ? image : undefined,
      );
      expect(response.status).toBe(400);
      const { error, details } = await readError(response);
      expect(error).toBe("invalid_request");
      expect(details).toMatchObject([
        { path: path.slice(path.indexOf("?") + 1).split("=")[0], code: "unknown_property" },
      ]);
    }
  });

  it("with too many values is refused before it is parsed", async () => {
    const many = (length: number) => Array.from({ length }, () => 1);
    const { message, details } = await problemsOf({ ...image, reference_images: many(10_000) });
    expect(message).toBe("The body has more than 10000 values. Send less.");
    expect(details).toEqual([{ path: "", code: "too_big", message: "has more than 10000 values" }]);
    const states = Object.fromEntries(many(2_001).map((one, key) => [`s${key}`, one]));
    const { details: ofProperties } = await problemsOf({ ...image, states });
    expect(ofProperties).toEqual([
      { path: "", code: "too_big", message: "has more than 2000 properties" },
    ]);
  });

  it("in another encoding or type is refused", async () => {
    for (const headers of [
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Type": "application/json; charset=utf-16le" },
      { "Content-Type": "application/json", "Content-Encoding": "zstandard" },
      { "Content-Type": "application/json", "Content-Encoding": "gzip, br" },
      { "Content-Type": "garbage" },
    ]) {
      const response = await client.generate(image, headers);
      expect([response.status, (await readError(response)).error]).toEqual([
        400,
        "unsupported_media_type",
      ]);
    }
  });

  it.each(["UTF-8", "utf8", "UTF8", '"utf8"', "utf8; profile=x"])(
    "in UTF-8 is read, also where it is called %s",
    async (charset) => {
      const type = { "Content-Type": `Application/JSON; charset=${charset}` };
      const response = await client.generate({ ...image, prompt: "café" }, type);
      expect(response.status).toBe(200);
    },
  );

  it("of exactly 1 MB is accepted, and one byte more is refused", async () => {
    expect((await client.generate(padded(1_048_576))).status).toBe(200);
    const response = await client.generate(padded(1_048_577));
    expect([response.status, (await readError(response)).error]).toEqual([
      400,
      "request_too_large",
    ]);
  });

  it("that is refused costs nothing and creates no job", async () => {
    const other = await createClient(stack);
    for (const body of ["{", { ...image, extra: 1 }, { ...image, model: "none" }]) {
      expect((await other.generate(body)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await other.list()).jobs).toEqual([]);
    expect(await other.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });
});

describe("a request that takes no body", () => {
  /** The operations under `/v1` without a body, each with the path of something that does not exist. */
  const operations = Object.entries(
    createOpenApiDocument({ publicUrl: "http://localhost" }).paths ?? {},
  )
    .filter(([path]) => path.startsWith("/v1/") && path !== "/v1/verify")
    .flatMap(([path, item]) =>
      (["get", "post", "patch", "delete"] as const)
        .filter((method) => item?.[method] !== undefined && item[method].requestBody === undefined)
        .map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, randomUUID())] as const),
    );

  function sendWith(
    body: string,
    [method, path]: readonly [string, string],
    headers: string[] = [],
  ) {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      "Host: atelier",
      `Authorization: Bearer ${client.account.key}`,
      "Content-Type: application/json",
      ...(headers.length === 0 ? [`Content-Length: ${body.length}`] : headers),
    ];
    return sendByHand(stack.url, `${lines.join("\r\n")}\r\n\r\n${body}`);
  }

  const refusal = {
    error: "invalid_request",
    message: "This request takes no body. Send it without one, or with an empty object.",
    details: [{ path: "", code: "unexpected_body", message: "must be empty" }],
  };

  it("is refused with one, on every such route", async () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations) {
      const response = await sendWith('{"image_size": "4K"}', operation);
      // Paths of the OpenAI-compatible operations have errors of another shape.
      expect([operation, response.status, await response.text()]).toEqual([
        operation,
        400,
        expect.stringContaining(refusal.message),
      ]);
    }
  });

  it("is accepted with an empty object, also in chunks, and with white space", async () => {
    const models = ["GET", "/v1/models/fake-blind"] as const;
    for (const body of ["", "{}", " { \n}\r\n"]) {
      expect((await sendWith(body, models)).status).toBe(200);
    }
    const chunked = ["Transfer-Encoding: chunked"];
    expect((await sendWith("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", models, chunked)).status).toBe(200);
    expect((await sendWith("0\r\n\r\n", models, chunked)).status).toBe(200);
  });

  it("is refused before a large body arrives", async () => {
    const models = ["GET", "/v1/models"] as const;
    const declared = ["Content-Length: 1000000000", "Expect: 100-continue"];
    expect(await readError(await sendWith("", models, declared))).toMatchObject(refusal);
    const chunk = `41\r\n${" ".repeat(0x41)}\r\n`;
    const endless = await sendWith(chunk, models, ["Transfer-Encoding: chunked"]);
    expect(await readError(endless)).toMatchObject(refusal);
  });
});

const ask = (method: string, path: string) => stack.request(client.account, method, path);

describe("a valid request", () => {
  const reference = (url: string) => ({ description: "tiles", url });

  it("lists everything that the model lacks, with the code of the first problem", async () => {
    const response = await client.generate({
      model: "builtin-pattern",
      prompt: "tiles",
      aspect_ratio: "5:1",
      image_size: "9K",
      reference_images: [reference("https://example.com/tiles.png")],
    });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "unsupported_aspect_ratio",
      details: [
        { path: "aspect_ratio", code: "unsupported_aspect_ratio" },
        { path: "image_size", code: "unsupported_image_size" },
        { path: "reference_images", code: "references_not_supported" },
      ],
    });
  });

  it("lists everything that a model lacks for a story, with unknown names", async () => {
    const response = await tellStory({
      aspect_ratio: "5:1",
      image_size: "9K",
      scenes: [{ prompt: "one", location: "Moon" }, { prompt: "two" }],
    });
    expect(response.status).toBe(422);
    const { details } = await readError(response);
    expect(details).toMatchObject([
      { path: "aspect_ratio" },
      { path: "image_size" },
      { path: "scenes.0.location" },
    ]);
  });

  it("lists all references that are not HTTPS, before other problems", async () => {
    const { details } = await problemsOf({
      ...image,
      reference_images: [
        reference("http://example.com/0.png"),
        reference("https://127.0.0.1/1.png"),
        reference("http://example.com/2.png"),
      ],
    });
    expect(details).toMatchObject([
      { path: "reference_images.0.url", code: "https_required" },
      { path: "reference_images.2.url", code: "https_required" },
    ]);
  });
});

describe("a method or path", () => {
  it("that does not exist is 404 with the usual error body", async () => {
    for (const [method, path] of [
      ["POST", "/v1/jobs"],
      ["PUT", "/v1/account"],
      ["GET", "/v1/generate/image"],
      ["PUT", "/v1/jobs/0192aaaa-0000-7000-8000-000000000000"],
      ["POST", "/"],
      ["GET", "/v2/jobs"],
      ["POST", "/healthz"],
      ["GET", "/queues"],
      ["GET", "/v1/v1/jobs"],
      ["POST", "/generate/image"],
    ] as const) {
      const response = await ask(method, path);
      expect(response.status, `${method} ${path}`).toBe(404);
      expect(await readError(response)).toMatchObject({ error: "not_found", details: null });
    }
  });

  it.each([
    ["PUT", "/v1/account", "GET, HEAD, PATCH"],
    ["GET", "/v1/generate/image", "POST"],
    ["PUT", "/v1/jobs/0192aaaa-0000-7000-8000-000000000000", "DELETE, GET, HEAD, PATCH"],
    ["POST", "/healthz", "GET, HEAD"],
    ["PUT", "/verify", "GET, HEAD, POST"],
    ["POST", "/label.js", "GET, HEAD"],
  ])("names the methods of a path that has others than %s: %s", async (method, path, allowed) => {
    const response = await ask(method, path);
    expect([response.status, response.headers.get("Allow")]).toEqual([404, allowed]);
    const { message } = await readError(response);
    expect(message).toContain(`this path has ${allowed.replaceAll(", ", " and ")}.`);
    const head = await ask("HEAD", "/v1/generate/image");
    expect([head.status, head.headers.get("Allow")]).toEqual([404, "POST"]);
  });

  it.each([
    ["GET", "/v1/v1/jobs", "/v1/jobs"],
    ["GET", "/v2/jobs/1", "/v1/jobs/1"],
    ["POST", "/generate/image", "/v1/generate/image"],
  ])("names the path that a wrong base URL meant: %s %s", async (method, path, meant) => {
    const response = await ask(method, path);
    expect([response.status, response.headers.get("Allow")]).toEqual([404, null]);
    const { message } = await readError(response);
    expect(message).toContain(`Did you mean ${stack.url}${meant}?`);
  });

  it("with invalid percent-encoding is refused", async () => {
    const response = await sendByHand(
      stack.url,
      `GET /v1/jobs/%E0%A4%A HTTP/1.1\r\nHost: atelier\r\nX-API-Key: ${client.account.key}\r\n\r\n`,
    );
    expect([response.status, (await readError(response)).error]).toEqual([400, "invalid_request"]);
  });

  it("answers HEAD like GET, without the body", async () => {
    const head = await ask("HEAD", "/v1/account");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("Content-Length"))).toBeGreaterThan(0);
    expect((await ask("HEAD", "/v1/nothing")).status).toBe(404);
  });

  it("answers OPTIONS with the allowed methods", async () => {
    const response = await ask("OPTIONS", "/v1/jobs/0192aaaa-0000-7000-8000-000000000000");
    expect(response.status).toBe(200);
    expect(response.headers.get("Allow")).toBe("DELETE, GET, HEAD, PATCH");
  });

  it("is 401 without a key, also for unknown paths", async () => {
    for (const path of ["/v1", "/v1/", "/v1/jobs", "/v1/models", "/v1/nothing", "/v1/%E0%A4%A"]) {
      const response = await fetch(stack.url + path);
      expect([response.status, (await readError(response)).error]).toEqual([401, "unauthorized"]);
    }
  });
});

const account = (lines: readonly string[]) =>
  sendByHand(
    stack.url,
    `${["GET /v1/account HTTP/1.1", "Host: atelier", ...lines].join("\r\n")}\r\n\r\n`,
  );

describe("headers", () => {
  it("accept a key in three forms and prefer Authorization", async () => {
    const { key } = client.account;
    expect((await account([`Authorization: bearer   ${key}  `])).status).toBe(200);
    expect((await account([`X-API-Key: ${key}`])).status).toBe(200);
    expect((await account([`api-key: ${key}`])).status).toBe(200);
    expect((await account([`api-key: ${key}`, "X-API-Key: wrong"])).status).toBe(401);
    expect((await account(["Authorization: Basic abc", `X-API-Key: ${key}`])).status).toBe(200);
    expect((await account([`X-API-Key: ${key}`, "Authorization: Bearer wrong"])).status).toBe(401);
    expect((await account([`X-API-Key: ${key}`, `X-API-Key: ${key}`])).status).toBe(401);
    expect((await account([`Authorization: Bearer ${key}x`])).status).toBe(401);
    expect((await account(["Authorization: Bearer"])).status).toBe(401);
  });

  it("without Host are refused with the usual error body, except in HTTP/1.0", async () => {
    const withoutHost = (version: string, path: string) =>
      sendByHand(
        stack.url,
        `GET ${path} HTTP/${version}\r\nX-API-Key: ${client.account.key}\r\n\r\n`,
      );
    for (const path of ["/v1/account", "/v1/nothing", "/healthz"]) {
      const response = await withoutHost("1.1", path);
      expect([response.status, response.headers.get("X-Request-Id")]).toEqual([
        400,
        expect.any(String),
      ]);
      expect(await readError(response)).toMatchObject({
        error: "invalid_request",
        details: [{ path: "Host" }],
      });
    }
    expect((await withoutHost("1.0", "/v1/account")).status).toBe(200);
  });

  it.each(["1.1", "1.0"])("with two Hosts are refused, HTTP/%s", async (version) => {
    const lines = [`GET /v1/account HTTP/${version}`, "Host: a", "host: b"];
    const key = `X-API-Key: ${client.account.key}`;
    const response = await sendByHand(stack.url, `${[...lines, key].join("\r\n")}\r\n\r\n`);
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({
      error: "invalid_request",
      details: [{ path: "Host", code: "repeated" }],
    });
  });

  it("with an idempotency key replay the same operation for equivalent paths", async () => {
    const send = (path: string) =>
      stack.request(client.account, "POST", path, unfinishedImage, {
        "Idempotency-Key": "one-path",
        Prefer: "respond-async",
      });
    const first = jobAccepted.parse(await (await send("/v1/generate/image")).json());
    for (const path of ["/v1/generate/image/", "/v1/Generate/IMAGE"]) {
      expect(jobAccepted.parse(await (await send(path)).json()).job_id).toBe(first.job_id);
    }
  });

  it("sent twice are refused as ambiguous", async () => {
    const body = JSON.stringify(image);
    const twice = await sendByHand(
      stack.url,
      [
        "POST /v1/generate/image HTTP/1.1",
        "Host: atelier",
        `Authorization: Bearer ${client.account.key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Idempotency-Key: one",
        "Idempotency-Key: two",
        "X-Request-Id: one",
        "X-Request-Id: two",
        "",
        body,
      ].join("\r\n"),
    );
    expect(twice.status).toBe(400);
    const { details, request_id } = await readError(twice);
    expect(details).toMatchObject([{ path: "Idempotency-Key" }]);
    expect(request_id).not.toContain("one");
  });

  it("are all read up to the size limit", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `X-${index}: 1`);
    expect((await account([...many, `X-API-Key: ${client.account.key}`])).status).toBe(200);
  });

  it("announce a keep-alive longer than that of common proxies", async () => {
    const response = await get("/v1/account");
    expect(response.headers.get("Keep-Alive")).toBe("timeout=125");
  });

  it("with an unknown Expect value are ignored", async () => {
    const lines = ["Expect: the-unexpected", `X-API-Key: ${client.account.key}`];
    expect((await account(lines)).status).toBe(200);
  });

  it("with a Prefer wait that is not whole seconds are refused before a job exists", async () => {
    const response = await client.generate(image, { Prefer: "wait=soon" });
    expect(response.status).toBe(400);
    expect((await readError(response)).details).toMatchObject([{ path: "Prefer" }]);
  });

  it("over 16 kB, and requests that are not HTTP, get the usual error body", async () => {
    const large = await account([`X-Large: ${"x".repeat(20_000)}`]);
    expect([large.status, (await readError(large)).error]).toEqual([400, "request_too_large"]);
    const garbage = await sendByHand(stack.url, "hello, is there a lighthouse?\r\n\r\n");
    expect([garbage.status, (await readError(garbage)).error]).toEqual([400, "invalid_request"]);
    expect(garbage.headers.get("Connection")).toBe("close");
    expect(await stack.api.log()).toContain(`"requestId":"${garbage.headers.get("X-Request-Id")}"`);
  });
});

describe("an API during shutdown", () => {
  it("answers waiting requests with 202, refuses new ones with 503, and exits", async () => {
    const other = await createClient(stack);
    const { url, program } = await startSecondApi(stack, {});
    const head = `Host: atelier\r\nX-API-Key: ${other.account.key}\r\n`;
    const body = JSON.stringify(unfinishedImage);
    const waiting = await openConnection(url);
    waiting.send(
      `POST /v1/generate/image HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const openedBefore = await openConnection(url);
    await eventually(
      () => other.list(),
      ({ jobs }) => jobs.length === 1,
    );

    const stopped = program.stop();
    const accepted = await waiting.answer();
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get("Connection")).toBe("close");
    const { job_id } = jobAccepted.parse(await accepted.json());
    expect(await other.read(job_id)).toMatchObject({ status: "pending" });

    openedBefore.send(`GET /v1/account HTTP/1.1\r\n${head}\r\n`);
    const refused = await openedBefore.answer();
    expect(refused.status).toBe(503);
    expect(await readError(refused)).toMatchObject({ error: "shutting_down" });
    expect(refused.headers.get("Connection")).toBe("close");
    expect(refused.headers.get("Retry-After")).toBe("1");
    await Promise.all([waiting.closed, openedBefore.closed]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
    expect(await stopped).toBe(0);
  });
});

it.each([
  "/v1/jobs?q=a%00b",
  "/v1/jobs?model=a%00b",
  "/v1/jobs?metadata.order=%00",
  "/v1/jobs?created_after=0000-01-01T00:00:00Z",
  "/v1/jobs?created_before=9999-12-31T23:59:59-12:00",
  "/v1/usage?from=0000-01-01",
  "/v1/usage?to=0000-01-01",
])("refuses %s with 400, not 500", async (path) => {
  const response = await stack.request(client.account, "GET", path);
  expect(await readError(response)).toMatchObject({ error: "invalid_request" });
});

it("refuses an expiry that no list could show", async () => {
  const body = { name: "late", expires_at: "9999-12-31T23:59:59-12:00" };
  const response = await stack.request(client.account, "POST", "/v1/keys", body);
  expect(await readError(response)).toMatchObject({ details: [{ path: "expires_at" }] });
});
