import { generationResponse, mintedKey, quote, type GenerationResponse } from "@atelier/schemas";
import { assertInvariants, shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf, createClient, readError, type Client } from "./support/client.ts";

const body = { model: "a-model-of-tomorrow", prompt: "a lighthouse at dusk", seed: 7 };

let stack: Stack;
let live: Client;
let test: Client;

beforeAll(async () => {
  stack = await shareStack();
  live = await createClient(stack);
  test = await withTestKey(live);
});

afterAll(() => stack.stop());

const mint = ({ account }: Client, settings: object) =>
  stack.request(account, "POST", "/v1/keys", { name: "CI", ...settings });

async function withTestKey(client: Client, settings: object = {}): Promise<Client> {
  const minted = mintedKey.parse(await (await mint(client, { mode: "test", ...settings })).json());
  return clientOf(stack, { ...client.account, keyId: minted.id, key: minted.key });
}

const send = ({ account }: Client, operation: string, request: object, headers = {}) =>
  stack.request(account, "POST", `/v1/generate/${operation}`, request, headers);

async function make(operation: string, request: object): Promise<GenerationResponse> {
  const response = await send(test, operation, request);
  const answer: unknown = await response.json();
  expect([response.status, answer]).toMatchObject([200, {}]);
  return generationResponse.parse(answer);
}

const download = async (url = "") => (await fetch(url)).bytes();

/** The share of pixels in the colour of the mark, in the corner where it is. */
async function markedShare(url: string | undefined): Promise<number> {
  const picture = sharp(await download(url));
  const { width, height } = await picture.metadata();
  const corner = { left: 0, top: 0, width: width >> 1, height: height >> 2 };
  const { data } = await picture
    .extract(corner)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const near = (index: number, value: number) => Math.abs((data[index] ?? 0) - value) < 24;
  let marked = 0;
  for (let index = 0; index < data.length; index += 3) {
    if (near(index, 0xc2) && near(index + 1, 0x18) && near(index + 2, 0x5b)) marked += 1;
  }
  return marked / (data.length / 3);
}

/** The job of the first event of a type, then closes the stream. */
async function readUntil({ body: stream }: Response, type: string): Promise<unknown> {
  let text = "";
  for await (const chunk of (stream ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, data] = new RegExp(`^event: ${type}\\ndata: (.*)\\n\\n`, "m").exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`the stream ended without ${type}`);
}

describe("a test key", () => {
  it("is created with the mode test, has its own prefix, and creates test keys only", async () => {
    const response = await mint(test, {});
    expect(mintedKey.parse(await response.json())).toMatchObject({
      mode: "test",
      key: expect.stringMatching(/^atl_test_/),
    });
    const refused = await mint(test, { mode: "live" });
    expect(refused.status).toBe(403);
    expect(await readError(refused)).toMatchObject({ error: "key_not_permitted" });
  });

  it("has an image of any model drawn by a built-in one, marked visibly, signed and registered, for nothing", async () => {
    const paid = generationResponse.parse(
      await (await send(live, "image", { ...body, model: "builtin-illustrator" })).json(),
    );
    const before = await live.money();
    const result = await make("image", body);
    expect(result).toMatchObject({
      model: "builtin-illustrator",
      cost_eur: "0.00",
      balance_eur: "0.00",
      layers: paid.layers,
    });
    expect(await markedShare(paid.image_url)).toBe(0);
    expect(await markedShare(result.image_url)).toBeGreaterThan(0.01);
    expect(await live.money()).toEqual(before);
    expect(
      await stack.database.query(
        "SELECT FROM ledger_entry AS entry JOIN ledger_transfer AS transfer ON transfer.id = transfer_id WHERE generation_id = $1",
        [result.id],
      ),
    ).toEqual([]);
    const transactions = await stack.request(live.account, "GET", "/v1/transactions");
    expect(JSON.stringify(await transactions.json())).not.toContain(result.id);
  });

  it.each([
    ["image", { ...body, n: 2 }],
    ["scene", { model: "flux-2-pro", prompt: "a boat by the sea" }],
    ["graphic", { model: "recraft-4.1-vector", prompt: "a bell", kind: "icon" }],
    ["diagram", { model: "a-model-of-tomorrow", prompt: "The client asks the server." }],
  ])("makes a marked %s", async (operation, request) => {
    const result = await make(operation, request);
    expect(result).toMatchObject({ model: expect.stringMatching(/^builtin-/), cost_eur: "0.00" });
    expect(await markedShare(result.image_url)).toBeGreaterThan(0.01);
    const svg = result.formats?.svg?.url;
    if (svg !== undefined) {
      const drawn = await sharp(await download(svg))
        .png()
        .toBuffer();
      expect(drawn.byteLength).toBeGreaterThan(0);
      expect(new TextDecoder().decode(await download(svg))).toContain("#c2185b");
    }
  });
});

describe("a prompt of a test key that forces an outcome", () => {
  it.each([
    ["test:refuse", 422, "content_policy_violation"],
    ["test:illegal", 451, "content_illegal"],
    ["test:rate-limit", 429, "rate_limited"],
    ["test:error insufficient_credit", 402, "insufficient_credit"],
    ["test:error overloaded", 503, "overloaded"],
    ["test:error nonsense", 400, "invalid_request"],
    ["test:slow 600", 400, "invalid_request"],
    ["a boat, test:fail", 502, "provider_error"],
  ])("%s is %i %s", async (prompt, status, error) => {
    const response = await send(test, "image", { ...body, prompt });
    expect([response.status, await readError(response)]).toMatchObject([status, { error }]);
    if (status === 429 || status === 503) expect(response.headers.get("Retry-After")).toBe("2");
  });

  it("names the field that is refused in a story", async () => {
    const response = await send(test, "story", {
      model: "a-model-of-tomorrow",
      characters: [{ name: "Mira", description: "a girl with red hair" }],
      scenes: [{ prompt: "Mira by the sea" }, { prompt: "test:refuse" }],
    });
    expect(await readError(response)).toMatchObject({
      error: "content_policy_violation",
      details: [{ path: "scenes.1.prompt" }],
    });
  });

  it("fails the job with test:fail, releases it, and answers a repetition with the same error", async () => {
    const headers = { "Idempotency-Key": "fails" };
    const request = { ...body, prompt: "test:fail" };
    const response = await send(test, "image", request, headers);
    const id = response.headers.get("X-Service-Job-Id") ?? "";
    expect(await test.read(id)).toMatchObject({ status: "failed", mode: "test", cost_eur: "0.00" });
    const repeated = await send(test, "image", request, headers);
    expect(await readError(repeated)).toMatchObject({ error: "provider_error" });
  });

  it("answers 202 to test:unfinished after the wait, and completes later", async () => {
    const request = { ...body, prompt: "test:unfinished" };
    const response = await send(test, "image", request, { Prefer: "wait=1" });
    expect(response.status).toBe(202);
    const { job_id } = (await response.json()) as { job_id: string };
    expect(await test.untilFinal(job_id)).toMatchObject({ status: "completed", mode: "test" });
  });

  it("makes the image of test:slow after that time", async () => {
    const started = performance.now();
    await make("image", { ...body, prompt: "a boat test:slow 2" });
    expect(performance.now() - started).toBeGreaterThan(2_000);
  });

  it("means nothing to a live key", async () => {
    const response = await send(live, "image", {
      model: "builtin-illustrator",
      prompt: "test:fail",
    });
    expect(response.status).toBe(200);
  });
});

describe("test jobs", () => {
  it("are all that a test key sees, and hidden from other keys unless they ask", async () => {
    const { id } = await make("image", body);
    const paid = await live.accept({ ...body, model: "builtin-illustrator" });
    const idsOf = async (client: Client, query = "") =>
      (await client.list(query)).jobs.map((job) => job.id);
    expect(await idsOf(test)).toContain(id);
    expect(await idsOf(test)).not.toContain(paid);
    expect(await idsOf(live)).toContain(paid);
    expect(await idsOf(live)).not.toContain(id);
    expect(await idsOf(live, "?mode=test")).toContain(id);
    expect(await idsOf(live, "?mode=test&q=lighthouse")).toContain(id);
    expect(await idsOf(live, `?key=${test.account.keyId}`)).toContain(id);
    expect(await idsOf(live, "?q=lighthouse")).not.toContain(id);
    expect((await live.read(id)).mode).toBe("test");
    for (const path of [
      `/v1/jobs/${paid}`,
      `/v1/jobs/${paid}/events`,
      `/v1/jobs/${paid}/archive`,
    ]) {
      expect((await stack.request(test.account, "GET", path)).status).toBe(404);
    }
    expect((await test.cancel(paid)).status).toBe(404);
    const asked = await stack.request(test.account, "GET", "/v1/jobs?mode=live");
    expect(await readError(asked)).toMatchObject({ error: "key_not_permitted" });
    await live.untilFinal(paid);
  });

  it("may not use the images of live jobs, while a live job may use theirs", async () => {
    const paid = await live.accept({ ...body, model: "builtin-illustrator" });
    await live.untilFinal(paid);
    const edit = (client: Client, job_id: string) =>
      send(client, "edit", {
        model: "builtin-illustrator",
        prompt: "a red boat",
        image: { job_id },
      });
    expect(await readError(await edit(test, paid))).toMatchObject({
      error: "reference_unreachable",
    });
    const { id } = await make("image", body);
    expect((await edit(test, id)).status).toBe(200);
    expect((await edit(live, id)).status).toBe(200);
  });

  it("are counted by the usage of their mode, and nothing of the account's money is shown", async () => {
    const own = await createClient(stack);
    const testing = await withTestKey(own);
    expect((await send(testing, "image", body)).status).toBe(200);
    const totalOf = async (client: Client, query: string) => {
      const response = await stack.request(client.account, "GET", `/v1/usage${query}`);
      return ((await response.json()) as { total: object }).total;
    };
    expect(await totalOf(own, "")).toMatchObject({ jobs: 0 });
    expect(await totalOf(own, "?mode=test")).toMatchObject({ jobs: 1, cost_eur: "0.00" });
    expect(await totalOf(testing, "")).toMatchObject({ jobs: 1, images: 1 });
    for (const path of ["/v1/transactions", "/v1/account/export"]) {
      expect((await stack.request(testing.account, "GET", path)).status).toBe(403);
    }
    const seen = await (await stack.request(testing.account, "GET", "/v1/account")).json();
    expect(seen).toMatchObject({ balance_eur: "0.00" });
    expect(seen).not.toHaveProperty("held_eur");
    expect(seen).not.toHaveProperty("name");
  });

  it("are limited by images a day and by unfinished jobs, while live jobs are accepted", async () => {
    const own = await createClient(stack);
    const testing = await withTestKey(own);
    await stack.database.query(
      `UPDATE account SET test_day = (now() AT TIME ZONE 'UTC')::date, test_images = 999 WHERE id = $1`,
      [own.account.accountId],
    );
    const refused = await send(testing, "image", { ...body, n: 2 });
    expect(await readError(refused)).toMatchObject({
      error: "rate_limited",
      details: { max_test_images_per_day: 1_000, test_images: 999 },
    });
    expect((await send(testing, "image", body)).status).toBe(200);
    expect((await send(testing, "image", body)).status).toBe(429);
    await stack.database.query("UPDATE account SET test_day = test_day - 1 WHERE id = $1", [
      own.account.accountId,
    ]);
    const slow = { ...body, prompt: "test:slow 60" };
    const ids = await Promise.all(Array.from({ length: 20 }, () => testing.accept(slow)));
    const next = await send(testing, "image", slow);
    expect(await readError(next)).toMatchObject({ error: "too_many_jobs" });
    expect((await send(own, "image", { ...body, model: "builtin-illustrator" })).status).toBe(200);
    for (const id of ids) await testing.cancel(id);
  });

  it("share no Idempotency-Key with live jobs", async () => {
    const request = { ...body, model: "builtin-illustrator" };
    const headers = { "Idempotency-Key": "of-both-modes" };
    const ids = [];
    for (const client of [test, live, test]) {
      const response = await send(client, "image", request, headers);
      ids.push(generationResponse.parse(await response.json()).id);
    }
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBe(ids[0]);
  });

  it("send their events to webhooks and streams of test keys only", async () => {
    const own = await createClient(stack);
    const testing = await withTestKey(own);
    const hook = async ({ account }: Client) => {
      const settings = { url: "https://hooks.example.com/", events: ["job.completed"] };
      const response = await stack.request(account, "POST", "/v1/webhooks", settings);
      return ((await response.json()) as { id: string }).id;
    };
    const hooks = [await hook(own), await hook(testing)];
    const listed = await stack.request(testing.account, "GET", "/v1/webhooks");
    const { webhooks } = (await listed.json()) as { webhooks: { id: string }[] };
    expect(webhooks.map(({ id }) => id)).toEqual([hooks[1]]);
    const hidden = await stack.request(testing.account, "GET", `/v1/webhooks/${hooks[0]}`);
    expect(hidden.status).toBe(404);
    const streams = await Promise.all(
      [
        [own, "/v1/events"],
        [own, "/v1/events?mode=test"],
        [testing, "/v1/events"],
      ].map(([client, path]) => stack.request((client as Client).account, "GET", path as string)),
    );
    const tested = await testing.untilFinal(await testing.accept(body));
    const paid = await own.untilFinal(await own.accept({ ...body, model: "builtin-illustrator" }));
    const [first, ...others] = streams.map((stream) => readUntil(stream, "job.completed"));
    expect(await first).toMatchObject({ id: paid.id, mode: "live" });
    for (const other of others) {
      expect(await other).toMatchObject({ id: tested.id, mode: "test" });
    }
    expect(
      await stack.database.query(
        "SELECT webhook_id, generation_id FROM webhook_delivery WHERE webhook_id = ANY ($1) ORDER BY id",
        [hooks],
      ),
    ).toEqual([
      { webhook_id: hooks[1], generation_id: tested.id },
      { webhook_id: hooks[0], generation_id: paid.id },
    ]);
  });

  it("cost nothing in a quote", async () => {
    const response = await stack.request(test.account, "POST", "/v1/quotes", {
      operation: "image",
      request: body,
    });
    expect(quote.parse(await response.json())).toMatchObject({
      price_eur: "0.00",
      affordable: true,
    });
  });

  it("are made through OpenAI's API", async () => {
    const response = await stack.request(test.account, "POST", "/v1/images/generations", {
      model: "gpt-image-9",
      prompt: "a lighthouse",
      size: "1536x1024",
    });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { b64_json?: string; url?: string }[] };
    const bytes = Buffer.from(data[0]?.b64_json ?? "", "base64");
    const { width, height } = await sharp(bytes).metadata();
    expect(width / height).toBeCloseTo(1.5, 1);
  });

  it("keep the invariants of the audit", async () => {
    await expect(assertInvariants(stack.database)).resolves.toBeUndefined();
  });
});
