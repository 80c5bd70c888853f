import { randomUUID } from "node:crypto";
import { rename, rm, symlink } from "node:fs/promises";
import { request as sendRequest } from "node:http";
import { join } from "node:path";
import { mulberry32 } from "@atelier/kit";
import { freePorts, startTcpProxy } from "@atelier/local-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import sharp from "sharp";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from "vitest";
import { holdCalls } from "./support/hold-calls.ts";
import { startImpatientProxy } from "./support/impatient-proxy.ts";

const path = "/v1/images/generations";
const retry = { "X-Stainless-Retry-Count": "1" };

let stack: Stack;
let account: TestAccount;
let urls: readonly string[];
/** An API without `FACADE_JOIN`. */
let separateUrl: string;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "fake-blind", GENERATIONS_PER_MINUTE: "10000" },
  });
  const [port, adminPort, separatePort, separateAdminPort] = await freePorts(4);
  await stack.startApi({ PORT: String(port), ADMIN_PORT: String(adminPort) });
  await stack.startApi({
    PORT: String(separatePort),
    ADMIN_PORT: String(separateAdminPort),
    FACADE_JOIN: "off",
  });
  urls = [stack.url, `http://127.0.0.1:${port}`];
  separateUrl = `http://127.0.0.1:${separatePort}`;
});

afterAll(() => stack.stop());

beforeEach(async () => {
  stack.provider.behave(() => ({ kind: "image" }));
  account = await stack.createAccount("100");
});

/** A new image, which no other test requests. */
const newImage = () => ({
  model: "fake-blind",
  prompt: `a lighthouse ${randomUUID()}`,
  response_format: "b64_json",
});

interface Answer {
  readonly status: number;
  readonly jobId: string | null;
  readonly isReplayed: boolean;
  readonly shouldRetry: string | null;
}

async function send(body: object, headers = {}, url = stack.url, route = path): Promise<Answer> {
  const response = await fetch(url + route, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return {
    status: response.status,
    jobId: response.headers.get("X-Service-Job-Id"),
    isReplayed: response.headers.get("Idempotent-Replayed") === "true",
    shouldRetry: response.headers.get("X-Should-Retry"),
  };
}

/** Sends a request as OpenAI's client does: again with its header while the response asks for it. */
async function sendPatiently(body: object, headers: object, url: string): Promise<Answer> {
  let answer = await send(body, headers, url);
  while (answer.status === 503 && answer.shouldRetry === "true") {
    answer = await send(body, retry, url);
  }
  return answer;
}

/** Sends a request whose connection the test cuts, or only the first half of its body. */
function open(body: object, headers = {}, url = stack.url, isHalf = false, route = path) {
  const text = JSON.stringify(body);
  const sent = sendRequest(url + route, {
    method: "POST",
    agent: false,
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
      ...headers,
    },
  });
  sent.on("error", () => undefined);
  if (isHalf) sent.write(text.slice(0, text.length / 2));
  else sent.end(text);
  return { cut: () => sent.destroy() };
}

/** Counts the jobs of the account, those that are completed, or those whose response may be given out without a retry. */
async function countJobs(which: "all" | "completed" | "lost" = "all"): Promise<number> {
  const [row] = await stack.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM generation
      WHERE account_id = $1 AND CASE $2
        WHEN 'all' THEN true
        WHEN 'completed' THEN status = 'completed'
        ELSE answer_hash IS NOT NULL AND answer_to IS NULL END`,
    [account.accountId, which],
  );
  return row?.count ?? 0;
}

/** Reads the requests that have, or have had, the responses of the account's jobs. */
async function readHolders(): Promise<string[]> {
  const rows = await stack.database.query<{ holder: string }>(
    "SELECT answer_to AS holder FROM generation WHERE account_id = $1 AND answer_to IS NOT NULL",
    [account.accountId],
  );
  return rows.map(({ holder }) => holder);
}

/** Waits until another request has the response of a job. */
async function waitForHolder(before: readonly string[]): Promise<void> {
  const isNew = (holder: string) => !before.includes(holder);
  await expect.poll(async () => (await readHolders()).some(isNew)).toBe(true);
}

async function spentEur(): Promise<number> {
  const response = await stack.request(account, "GET", "/v1/account");
  return 100 - Number(((await response.json()) as { balance_eur: string }).balance_eur);
}

/** Sends a request, cuts its connection once it has a job, and waits until that is recorded. */
async function loseOne(body: object, headers = {}, url = stack.url, route = path): Promise<void> {
  const [jobs, lost] = [await countJobs(), await countJobs("lost")];
  const held = holdCalls(stack.provider);
  const cut = open(body, headers, url, false, route);
  await expect.poll(() => countJobs()).toBe(jobs + 1);
  cut.cut();
  await expect.poll(() => countJobs("lost")).toBe(lost + 1);
  held.release();
}

describe("a request whose connection was cut", () => {
  it("gives OpenAI's unchanged client one job, one charge and the image", async () => {
    const proxy = await startTcpProxy(stack.url);
    const openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: account.key });
    const held = holdCalls(stack.provider);
    const { model, prompt } = newImage();
    const generated = openai.images
      .generate({ model, prompt, response_format: "b64_json" })
      .withResponse();
    await held.called;
    proxy.setFault("cut");
    proxy.setFault(null);
    held.release();
    const { data, response } = await generated;
    expect(data.data?.[0]?.b64_json).toMatch(/^iVBOR/);
    expect(response.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await countJobs()).toBe(1);
    expect(await spentEur()).toBeCloseTo(0.05);
    await proxy.stop();
  });

  it.each(["cuts the connection", "answers 504"] as const)(
    "gives OpenAI's unchanged client the image behind a proxy that %s after its limit",
    async (onTimeout) => {
      const proxy = await startImpatientProxy(stack.url, 1_000, onTimeout);
      onTestFinished(() => proxy.stop());
      const openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: account.key });
      const held = holdCalls(stack.provider);
      const calls = stack.provider.calls.length;
      const { model, prompt } = newImage();
      const generated = openai.images.generate({ model, prompt }).withResponse();
      await expect.poll(() => proxy.timeouts(), { timeout: 30_000 }).toBe(1);
      held.release();
      const { data, response } = await generated;
      expect(data.data?.[0]?.b64_json).toMatch(/^iVBOR/);
      expect(response.headers.get("Idempotent-Replayed")).toBe("true");
      expect(await countJobs()).toBe(1);
      expect(await spentEur()).toBeCloseTo(0.05);
      expect(stack.provider.calls.length - calls).toBe(1);
    },
  );

  it("gives OpenAI's unchanged client with a short time-out one job", async () => {
    const openai = new OpenAI({ baseURL: urls[1] + "/v1", apiKey: account.key });
    const held = holdCalls(stack.provider);
    const { model, prompt } = newImage();
    const generated = openai.images.generate({ model, prompt }, { timeout: 250, maxRetries: 1 });
    await expect(generated).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
    held.release();
    expect(await countJobs()).toBe(1);
  });

  it("gives its image once, to the next equal request", async () => {
    const image = newImage();
    await loseOne(image);
    const joined = await send(image, {}, urls[1]);
    expect(joined).toMatchObject({ status: 200, isReplayed: true });
    const next = await send(image);
    expect(next).toMatchObject({ status: 200, isReplayed: false });
    expect(next.jobId).not.toBe(joined.jobId);
  });

  it("is joined by a retry while the broken connection is not found yet, and then has no image", async () => {
    const held = holdCalls(stack.provider);
    const image = newImage();
    const first = send(image);
    await held.called;
    const before = await readHolders();
    const second = send(image, retry, urls[1]);
    await waitForHolder(before);
    held.release();
    expect(await second).toMatchObject({ status: 200, isReplayed: true });
    expect(await first).toMatchObject({ status: 503, shouldRetry: "true" });
  });

  it.each([
    ["another prompt", (image: object) => ({ ...image, prompt: "a fox" }), {}],
    ["another parameter", (image: object) => ({ ...image, size: "256x256" }), {}],
    ["an Idempotency-Key", (image: object) => image, { "Idempotency-Key": "new" }],
  ])("is not joined by a request with %s", async (_, change, headers) => {
    const image = newImage();
    await loseOne(image);
    expect(await send(change(image), { ...retry, ...headers })).toMatchObject({
      isReplayed: false,
    });
  });

  it("with a seed is joined by a retry only", async () => {
    const image = { ...newImage(), seed: 7 };
    await loseOne(image);
    expect(await send(image)).toMatchObject({ isReplayed: false });
    expect(await send(image, retry)).toMatchObject({ isReplayed: true });
  });

  it("is not joined after ten minutes", async () => {
    const image = newImage();
    await loseOne(image);
    await stack.database.query(
      "UPDATE generation SET created_at = created_at - interval '10 minutes' WHERE account_id = $1",
      [account.accountId],
    );
    expect(await send(image, retry)).toMatchObject({ isReplayed: false });
  });

  it("with large images gives its image to an equal request that the balance cannot pay", async () => {
    account = await stack.createAccount("0.05");
    const route = "/v1/chat/completions";
    const grain = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const picture = await sharp({
      create: { width: 700, height: 700, channels: 3, background: "#808080", noise: grain },
    })
      .png()
      .toBuffer();
    const chat = {
      model: "fake-blind",
      modalities: ["image"],
      messages: [
        {
          role: "assistant",
          images: [
            {
              type: "image_url",
              image_url: { url: `data:image/png;base64,${picture.toString("base64")}` },
            },
          ],
        },
        { role: "user", content: `a lighthouse ${randomUUID()}` },
      ],
    };
    expect(JSON.stringify(chat).length).toBeGreaterThan(1_048_576);
    await loseOne(chat, {}, stack.url, route);
    const balance = async () => {
      const response = await stack.request(account, "GET", "/v1/account");
      return ((await response.json()) as { balance_eur: string }).balance_eur;
    };
    await expect.poll(balance).toBe("0.00");
    expect(await send(chat, {}, stack.url, route)).toMatchObject({ status: 200, isReplayed: true });
    expect(await send(chat, {}, stack.url, route)).toMatchObject({ status: 402 });
  });

  it.each(["data:image/png;base64,", "DATA:IMAGE/PNG;BASE64,"])(
    "with an image %s in its text is joined by its retry",
    async (prefix) => {
      const route = "/v1/chat/completions";
      const picture = await sharp({
        create: { width: 64, height: 64, channels: 3, background: "#808080" },
      })
        .png()
        .toBuffer();
      const content = `a lighthouse ${randomUUID()} ![sea](${prefix}${picture.toString("base64")})`;
      const chat = {
        model: "fake-blind",
        modalities: ["image"],
        messages: [
          { role: "assistant", content },
          { role: "user", content },
        ],
      };
      await loseOne(chat, {}, stack.url, route);
      expect(await send(chat, retry, stack.url, route)).toMatchObject({
        status: 200,
        isReplayed: true,
      });
      expect(await countJobs()).toBe(1);
    },
  );

  it("is not joined by another key", async () => {
    const image = newImage();
    await loseOne(image);
    const other = await stack.giveCredit(account.accountId, "0");
    const answer = await send(image, { ...retry, Authorization: `Bearer ${other.key}` });
    expect(answer).toMatchObject({ isReplayed: false });
  });

  it("is not joined once its job has failed", async () => {
    const image = newImage();
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const refused = await send(image);
    expect(refused).toMatchObject({ status: 400, shouldRetry: "false" });
    stack.provider.behave(() => ({ kind: "image" }));
    expect(await send(image, retry)).toMatchObject({ status: 200, isReplayed: false });
  });

  describe("when the file of its job", () => {
    const files = () =>
      join((stack.environment["STORAGE_URL"] ?? "").slice("file:".length), "renders");

    it("is gone, is 404 with X-Should-Retry: false", async () => {
      const image = newImage();
      await loseOne(image);
      await expect.poll(() => countJobs("completed")).toBe(1);
      await rename(files(), `${files()}.away`);
      const gone = await send(image);
      await rename(`${files()}.away`, files());
      expect(gone).toMatchObject({ status: 404, isReplayed: true, shouldRetry: "false" });
    });

    it.each([
      ["a retry", retry],
      ["the next equal request", {}],
    ])("cannot be read, is joined again by %s, which pays nothing", async (_, headers) => {
      const image = newImage();
      await loseOne(image);
      await expect.poll(() => countJobs("completed")).toBe(1);
      await rename(files(), `${files()}.away`);
      // A symlink loop causes a read error instead of a missing file.
      await symlink("renders", files());
      const failed = await send(image);
      await rm(files());
      await rename(`${files()}.away`, files());
      expect(failed).toMatchObject({ isReplayed: true, shouldRetry: "true" });
      expect(failed.status).toBeGreaterThanOrEqual(500);
      const again = await send(image, headers);
      expect(again).toMatchObject({ status: 200, isReplayed: true, jobId: failed.jobId });
      expect(await countJobs()).toBe(1);
    });
  });

  it("is not joined with FACADE_JOIN=off", async () => {
    const image = newImage();
    await loseOne(image);
    const answer = await send(image, retry, separateUrl);
    expect(answer).toMatchObject({ isReplayed: false, shouldRetry: "false" });
  });
});

it("a retry of a request that never arrived gets an image of its own after equal ones were delivered", async () => {
  const image = newImage();
  const first = await send(image);
  const second = await send(image, retry);
  expect(second).toMatchObject({ status: 200, isReplayed: false });
  expect(second.jobId).not.toBe(first.jobId);
});

it("a wait that expires is 503 with X-Should-Retry, and the next equal request gets the image", async () => {
  const image = newImage();
  const held = holdCalls(stack.provider);
  const first = await send(image, { Prefer: "wait=0" });
  expect(first).toMatchObject({ status: 503, shouldRetry: "true" });
  held.release();
  expect(await send(image)).toMatchObject({ status: 200, isReplayed: true, jobId: first.jobId });
});

describe("charges are the requests without the retry header, less lost responses that were given out", () => {
  it.each([1, 2, 3, 4, 5, 6])("for the sequence of seed %s on two processes", async (seed) => {
    const random = mulberry32(seed);
    const pick = <Value>(values: readonly Value[]) =>
      values[Math.floor(random() * values.length)] as Value;
    const image = newImage();
    const given: (string | null)[] = [];
    let charges = 0;
    let lost = 0;
    let held: ReturnType<typeof holdCalls> | null = null;
    const release = () => {
      held?.release();
      held = null;
    };
    /** A request without the header, or the retry of one that never arrived. */
    const expectJob = () => (lost > 0 ? lost-- : charges++);
    const receive = async (headers: object = {}) => {
      const { status, jobId } = await sendPatiently(image, headers, pick(urls));
      expect(status).toBe(200);
      given.push(jobId);
    };
    const cutAfterAcceptance = async () => {
      const before = lost;
      expectJob();
      // A lost job stays unfinished: its response could arrive before the connection is cut.
      held ??= holdCalls(stack.provider);
      const { cut } = open(image, {}, pick(urls));
      await expect
        .poll(async () => [await countJobs(), await countJobs("lost")])
        .toEqual([charges, before === 0 ? 0 : before - 1]);
      cut();
    };
    const steps = {
      async send() {
        expectJob();
        release();
        await receive();
      },
      async parallel() {
        expectJob();
        expectJob();
        release();
        await Promise.all([receive(), receive()]);
      },
      async "cut after acceptance, retry at once"() {
        await cutAfterAcceptance();
        const before = await readHolders();
        const received = receive(retry);
        await waitForHolder(before);
        release();
        await received;
      },
      async "cut after acceptance, retry beside an equal request"() {
        await cutAfterAcceptance();
        lost++;
        await expect.poll(() => countJobs("lost")).toBe(lost);
        expectJob();
        expectJob();
        release();
        await Promise.all([receive(retry), receive()]);
      },
      async stop() {
        await cutAfterAcceptance();
        lost++;
        await expect.poll(() => countJobs("lost")).toBe(lost);
      },
      async "cut before acceptance, retry"() {
        open(image, {}, pick(urls), true).cut();
        expectJob();
        release();
        await receive(retry);
      },
      async "cut before acceptance, stop"() {
        open(image, {}, pick(urls), true).cut();
      },
    };
    const names = Object.keys(steps) as (keyof typeof steps)[];
    for (let step = 0; step < 8; step++) await steps[pick(names)]();
    release();
    expect(await countJobs()).toBe(charges);
    expect(new Set(given).size).toBe(given.length);
    await expect.poll(spentEur).toBeCloseTo(charges * 0.05);
  });
});
