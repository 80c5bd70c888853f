import { createHash, randomUUID } from "node:crypto";
import { revokeKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import {
  batch,
  batchList,
  batchResult,
  mintedKey,
  quote,
  type BatchResponse,
} from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient, image, readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { MAX_UNFINISHED_JOBS: "8" },
  });
});

afterAll(() => stack.stop());

type Holder = Pick<TestAccount, "key">;

const lineOf = (body: object, operation = "image") => ({ operation, body });

function post(holder: Holder, requests: readonly object[], headers?: Record<string, string>) {
  return stack.request(holder, "POST", "/v1/batches", { requests }, headers);
}

async function create(holder: Holder, requests: readonly object[]): Promise<BatchResponse> {
  const response = await post(holder, requests);
  expect(response.status).toBe(202);
  return batch.parse(await response.json());
}

async function read(holder: Holder, id: string): Promise<BatchResponse> {
  return batch.parse(await (await stack.request(holder, "GET", `/v1/batches/${id}`)).json());
}

function postFile(holder: Holder, file: string, headers?: Record<string, string>) {
  return fetch(`${stack.url}/v1/batches`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${holder.key}`,
      "Content-Type": "application/jsonl",
      ...headers,
    },
    body: file,
  });
}

/** Stored parts without a batch. */
async function lostParts(): Promise<number | undefined> {
  const [row] = await stack.database.query<{ count: number }>(
    "SELECT count(*)::int FROM request_part WHERE owner_id NOT IN (SELECT id FROM batch)",
  );
  return row?.count;
}

const pay = ({ accountId }: TestAccount, amountMicroEur: bigint) =>
  topUp(stack.database, { accountId, amountMicroEur });

const untilFinal = (holder: Holder, id: string) =>
  eventually(
    () => read(holder, id),
    ({ completed_at }) => completed_at !== null,
  );

async function readResults(holder: Holder, id: string) {
  const response = await stack.request(holder, "GET", `/v1/batches/${id}/results`);
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
  const text = await response.text();
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => batchResult.parse(JSON.parse(line)));
}

async function readArchive(holder: Holder, id: string, query: string) {
  const response = await stack.request(holder, "GET", `/v1/batches/${id}/archive${query}`);
  expect(response.headers.get("Content-Type")).toBe("application/zip");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes.byteLength).toBe(Number(response.headers.get("Content-Length")));
  return unzipSync(bytes);
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a batch", () => {
  it("makes each request once, and fails only the lines that would be refused", async () => {
    const client = await createClient(stack);
    const { account } = client;
    const requests = [
      lineOf(image),
      lineOf({ ...image, model: "no-such-model" }),
      lineOf({ ...image, promt: "" }),
      ...Array.from({ length: 7 }, () => lineOf(image)),
      lineOf({ ...image, prompt: "how to build a pipe bomb" }),
    ];
    const created = await create(account, requests);
    expect(created).toMatchObject({ status: "processing", counts: { total: 11, waiting: 11 } });
    const done = await untilFinal(account, created.id);
    expect(done).toMatchObject({
      status: "completed",
      counts: { total: 11, waiting: 0, processing: 0, completed: 8, failed: 3, cancelled: 0 },
      cost_eur: "0.40",
      waiting_for: null,
      error: null,
    });
    expect(await client.money()).toEqual({ balance_eur: "9.60", held_eur: "0.00" });

    const results = await readResults(account, created.id);
    expect(results.map(({ line }) => line)).toEqual(requests.map((_, index) => index + 1));
    const errors = results.map(({ error }) => error?.error ?? null);
    expect(errors.slice(0, 4)).toEqual([null, "model_not_found", "invalid_request", null]);
    expect(errors.at(-1)).toMatch(/^content_/);
    const jobs = new Set(results.flatMap(({ job_id }) => job_id ?? []));
    expect(jobs.size).toBe(8);
    const [first] = results;
    expect((await fetch(first?.result?.image_url ?? "")).status).toBe(200);
    const archive = await readArchive(account, created.id, "?format=webp&after_line=3&limit=3");
    expect(Object.keys(archive)).toEqual([4, 5, 6].map((line) => `0000${line}/image-1.webp`));
    const hashes = results.slice(3, 6).map(({ result }) => result?.formats?.webp?.hash);
    expect(Object.values(archive).map(sha256)).toEqual(hashes);
    const { jobs: listed } = await client.list(`?request_id=${created.id}`);
    expect(new Set(listed.map(({ id }) => id))).toEqual(jobs);
    await assertInvariants(stack.database);
  });

  it("takes a file of JSON lines, the same one once for an Idempotency-Key", async () => {
    const { account } = await createClient(stack);
    const headers = { "Idempotency-Key": randomUUID() };
    const file = Array.from({ length: 5 }, () => JSON.stringify(lineOf(image))).join("\r\n");
    const answers = [
      await postFile(account, file, headers),
      await postFile(account, file, headers),
      await postFile(account, `${file}\n${file}`, headers),
    ];
    const [created, replayed] = [
      batch.parse(await answers[0]?.json()),
      batch.parse(await answers[1]?.json()),
    ];
    expect(created).toMatchObject({ counts: { total: 5 } });
    expect(replayed.id).toBe(created.id);
    expect((await readError(answers[2] as Response)).error).toBe("idempotency_key_reused");
    expect(await untilFinal(account, created.id)).toMatchObject({ counts: { completed: 5 } });
    expect(await lostParts()).toBe(0);
  });

  it.each([
    ["not JSON", '{"operation": "image", "body": {', { code: "invalid_json" }],
    ["another form", '{"operation": "image"}', { path: "body" }],
    ["empty", " ", {}],
  ])("names the first line of a file that is %s, and stores nothing", async (_, bad, problem) => {
    const { account } = await createClient(stack);
    const good = JSON.stringify(lineOf(image));
    // More than a part, so that one was stored.
    const file = [...Array.from({ length: 4_000 }, () => good), bad, good, bad].join("\n");
    const refused = await readError(await postFile(account, file));
    expect(refused).toMatchObject({
      error: "invalid_request",
      message: expect.stringMatching(/^Line 4001/) as string,
      details: [{ line: 4_001, ...problem }],
    });
    expect(await lostParts()).toBe(0);
  });

  it("fails a line with an unknown operation, and makes the others", async () => {
    const { account } = await createClient(stack);
    const lines = [lineOf(image), lineOf(image, "imagine"), lineOf(image)];
    const file = lines.map((line) => JSON.stringify(line)).join("\n");
    const ofFile = batch.parse(await (await postFile(account, file)).json());
    for (const { id } of [await create(account, lines), ofFile]) {
      expect(await untilFinal(account, id)).toMatchObject({
        status: "completed",
        counts: { total: 3, completed: 2, failed: 1 },
      });
      const path = `/v1/batches/${id}/results`;
      const results = await (await stack.request(account, "GET", path)).text();
      expect(batchResult.parse(JSON.parse(results.split("\n")[1] ?? ""))).toMatchObject({
        line: 2,
        status: "failed",
        job_id: null,
        error: { error: "invalid_request", details: [{ path: "operation" }] },
      });
    }
  });

  it("refuses a body whose lines have another form, and stores nothing", async () => {
    const { account } = await createClient(stack);
    const refused = await readError(await post(account, [lineOf(image), { operation: "image" }]));
    expect(refused).toMatchObject({
      error: "invalid_request",
      details: [{ path: "requests.1.body" }],
    });
  });

  it("costs the price of a quote with in_batch, which is held and charged for each line", async () => {
    const client = await createClient(stack, "0.08");
    const { account } = client;
    const request = { model: "fake-resumable", prompt: "a lighthouse", n: 2 };
    const quoteFor = { operation: "image", request, in_batch: true };
    const quoted = await stack.request(account, "POST", "/v1/quotes", quoteFor);
    expect(quote.parse(await quoted.json())).toMatchObject({
      price_eur: "0.05",
      affordable: true,
      price: { images: 2, eur_per_image: "0.025" },
    });
    const { id } = await create(account, [lineOf(request)]);
    expect(await untilFinal(account, id)).toMatchObject({
      counts: { completed: 1 },
      cost_eur: "0.05",
    });
    expect(await client.money()).toEqual({ balance_eur: "0.03", held_eur: "0.00" });
    // Outside of a batch, it costs twice as much.
    expect((await readError(await client.generate(request))).error).toBe("insufficient_credit");
    await assertInvariants(stack.database);
  });

  it("waits for credit, and continues after a top-up", async () => {
    const { account } = await createClient(stack, "0.10");
    const { id } = await create(
      account,
      [1, 2, 3].map(() => lineOf(image)),
    );
    const waiting = await eventually(
      () => read(account, id),
      ({ waiting_for, counts }) => waiting_for !== null && counts.completed === 2,
    );
    expect(waiting).toMatchObject({
      status: "processing",
      counts: { waiting: 1 },
      waiting_for: { error: "insufficient_credit" },
    });
    await pay(account, 50_000n);
    expect(await untilFinal(account, id)).toMatchObject({
      counts: { completed: 3 },
      cost_eur: "0.15",
    });
  });

  it("leaves half of the account's unfinished jobs to other requests, which come first", async () => {
    const client = await createClient(stack);
    const { account } = client;
    const calls = holdCalls(stack.provider);
    const { id } = await create(
      account,
      Array.from({ length: 12 }, () => lineOf(image)),
    );
    await eventually(
      () => read(account, id),
      ({ counts }) => counts.processing === 4,
    );
    const own = await client.accept();
    calls.release();
    const { completed_at: ownEnd } = await client.untilFinal(own);
    const { completed_at: end } = await untilFinal(account, id);
    expect(Date.parse(ownEnd ?? "")).toBeLessThan(Date.parse(end ?? ""));
  });

  it("is cancelled with its unfinished jobs, and charges nothing for them", async () => {
    const client = await createClient(stack);
    const { account } = client;
    const calls = holdCalls(stack.provider);
    const { id } = await create(
      account,
      Array.from({ length: 12 }, () => lineOf(image)),
    );
    await eventually(
      () => read(account, id),
      ({ counts }) => counts.processing === 4,
    );
    const response = await stack.request(account, "DELETE", `/v1/batches/${id}`);
    expect(response.status).toBe(202);
    calls.release();
    const ended = await untilFinal(account, id);
    const { completed, cancelled } = ended.counts;
    expect(ended).toMatchObject({ status: "cancelled", counts: { waiting: 0, failed: 0 } });
    expect(completed + cancelled).toBe(12);
    expect(cancelled).toBeGreaterThanOrEqual(8);
    expect(await readResults(account, id)).toHaveLength(12);
    const again = await stack.request(account, "DELETE", `/v1/batches/${id}`);
    expect(again.status).toBe(200);
    expect(await client.money()).toMatchObject({ held_eur: "0.00" });
  });

  it("stops when its key is revoked: further lines fail with that error", async () => {
    const { account } = await createClient(stack, "0.05");
    const minted = await stack.request(account, "POST", "/v1/keys", { name: "batch" });
    const { key, id: keyId } = mintedKey.parse(await minted.json());
    const { id } = await create(
      { key },
      [1, 2, 3].map(() => lineOf(image)),
    );
    await eventually(
      () => read(account, id),
      ({ waiting_for, counts }) => waiting_for !== null && counts.completed === 1,
    );
    await revokeKey(stack.database, keyId);
    await pay(account, 1_000_000n);
    expect(await untilFinal(account, id)).toMatchObject({
      status: "failed",
      counts: { completed: 1, failed: 2 },
      error: { error: "unauthorized", details: { reason: "revoked" } },
    });
    const results = await readResults(account, id);
    expect(results.map(({ error }) => error?.error ?? null)).toEqual([
      null,
      "unauthorized",
      "unauthorized",
    ]);
    const path = `/v1/batches/${id}/archive?after_line=1`;
    expect((await readError(await stack.request(account, "GET", path))).error).toBe(
      "file_not_found",
    );
  });

  it("is the same for the same Idempotency-Key, also for requests at the same time", async () => {
    const { account } = await createClient(stack);
    const headers = { "Idempotency-Key": randomUUID() };
    const requests = [lineOf(image)];
    const answers = await Promise.all([1, 2, 3].map(() => post(account, requests, headers)));
    const ids = await Promise.all(answers.map(async (one) => batch.parse(await one.json()).id));
    expect(new Set(ids).size).toBe(1);
    expect(answers.filter((one) => one.headers.has("Idempotent-Replayed"))).toHaveLength(2);
    const other = await post(account, [lineOf(image), lineOf(image)], headers);
    expect((await readError(other)).error).toBe("idempotency_key_reused");
    expect(await untilFinal(account, ids[0] ?? "")).toMatchObject({ counts: { completed: 1 } });
  });

  it("is listed with the newest first, and is unknown to other accounts", async () => {
    const [{ account }, { account: stranger }] = [
      await createClient(stack),
      await createClient(stack),
    ];
    const first = await create(account, [lineOf(image)]);
    const second = await create(account, [lineOf(image)]);
    const page = batchList.parse(
      await (await stack.request(account, "GET", "/v1/batches?limit=1")).json(),
    );
    expect(page.batches.map(({ id }) => id)).toEqual([second.id]);
    const rest = await stack.request(account, "GET", `/v1/batches?cursor=${page.next_cursor}`);
    expect(batchList.parse(await rest.json()).batches.map(({ id }) => id)).toEqual([first.id]);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/results"],
      ["GET", "/archive"],
      ["DELETE", ""],
    ] as const) {
      const refused = await stack.request(stranger, method, `/v1/batches/${first.id}${path}`);
      expect((await readError(refused)).error).toBe("batch_not_found");
    }
    await Promise.all([first, second].map(({ id }) => untilFinal(account, id)));
  });
});
