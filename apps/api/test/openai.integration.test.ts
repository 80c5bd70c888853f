import { createHash } from "node:crypto";
import { job, type GenerationResponse } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };
/** No worker of this stack serves the lane of this model: its jobs stay pending. */
const neverMade = { ...image, model: "fake-resumable" };

let stack: Stack;
let account: TestAccount;
let openai: OpenAI;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "builtin,fake-blind" },
  });
  account = await stack.createAccount();
  openai = clientOf(account);
});

afterAll(() => stack.stop());

/** OpenAI's own client, told nothing but where the service is. */
function clientOf({ key }: TestAccount): OpenAI {
  return new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: key });
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no error",
    (error: unknown) => error,
  );
}

async function balanceOf(of: TestAccount): Promise<string> {
  const response = await stack.request(of, "GET", "/v1/account");
  return ((await response.json()) as { balance_eur: string }).balance_eur;
}

describe("OpenAI's client", () => {
  it("makes an image and gets its URL", async () => {
    const before = Date.now();
    const { created, data } = await openai.images.generate({
      ...image,
      model: "builtin-illustrator",
      size: "1536x1024",
      n: 1,
      quality: "auto",
      user: "reader-17",
    });
    expect(created * 1_000).toBeGreaterThan(before - 60_000);
    expect(data).toHaveLength(1);
    const response = await fetch(data?.[0]?.url ?? "");
    expect(response.headers.get("Content-Type")).toBe("image/png");
    const { width, height } = await sharp(await response.arrayBuffer()).metadata();
    expect((width ?? 0) / (height ?? 1)).toBeCloseTo(3 / 2, 1);
  });

  it("makes an image and gets its bytes, those that the job has", async () => {
    const { data, response } = await openai.images
      .generate({ ...image, response_format: "b64_json", output_format: "webp" })
      .withResponse();
    const bytes = Buffer.from(data.data?.[0]?.b64_json ?? "", "base64");
    expect((await sharp(bytes).metadata()).format).toBe("webp");
    expect(data.data?.[0]).not.toHaveProperty("url");

    const jobId = response.headers.get("X-Service-Job-Id");
    const read = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
    const { result } = job.parse(await read.json());
    expect(result?.formats?.webp?.hash).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it("gets an image once for the same idempotency key, in whatever way it asks", async () => {
    const other = await stack.createAccount();
    const ask = () =>
      clientOf(other)
        .images.generate(image, { headers: { "Idempotency-Key": "once" } })
        .withResponse();
    const first = await ask();
    const second = await ask();
    expect(second.response.headers.get("Idempotent-Replayed")).toBe("true");
    expect(second.data.created).toBe(first.data.created);
    expect(await balanceOf(other)).toBe("9.95");

    const house = { body: image, headers: { "Idempotency-Key": "once" } };
    const elsewhere = await stack.request(
      other,
      "POST",
      "/v1/generate/image",
      house.body,
      house.headers,
    );
    expect(elsewhere.status).toBe(422);
  });

  it("throws AuthenticationError for a wrong key", async () => {
    const error = await caught(clientOf({ accountId: "", key: "sk-wrong" }).images.generate(image));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      code: "unauthorized",
      type: "authentication_error",
      requestID: expect.any(String),
    });
  });

  it("throws BadRequestError for a prompt that moderation refuses, which costs nothing", async () => {
    const other = await stack.createAccount();
    const prompt = "a severed head on a table";
    const error = await caught(clientOf(other).images.generate({ ...image, prompt }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: "content_policy_violation", param: "prompt" });
    expect(await balanceOf(other)).toBe("10.00");
  });

  it("lets the caller choose the strictness by OpenAI's name for it", async () => {
    const prompt = "a severed head on a table";
    const { data } = await openai.images.generate({ ...image, prompt, moderation: "low" });
    expect(data?.[0]?.url).toBeDefined();
  });

  it.each([
    [{ n: 2 }, "n"],
    [{ size: "large" }, "size"],
    [{ quality: "hd" }, "quality"],
    [{ style: "vivid" }, "style"],
    [{ output_format: "gif" }, "output_format"],
  ])("throws BadRequestError for what cannot be kept: %o", async (wish, param) => {
    const body = { ...image, ...wish } as OpenAI.ImageGenerateParamsNonStreaming;
    const error = await caught(openai.images.generate(body));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: "invalid_request", param });
  });

  it("throws NotFoundError for a model that there is not", async () => {
    const error = await caught(openai.images.generate({ ...image, model: "gpt-image-1" }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: "model_not_found" });
  });

  it("throws an APIError with our code when the credit does not suffice", async () => {
    const poor = await stack.createAccount("0.01");
    const error = await caught(clientOf(poor).images.generate(image));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status: 402, code: "insufficient_credit" });
  });

  it("does not repeat what the service has given up", async () => {
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const before = stack.provider.calls.length;
    const error = await caught(openai.images.generate(image));
    stack.provider.behave(() => ({ kind: "image" }));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: "provider_refused" });
    expect(stack.provider.calls.length).toBe(before + 1);
  });
});

describe("when the wait is over before the image is done", () => {
  it("is told the job, and does not pay twice by asking again by itself", async () => {
    const other = await stack.createAccount();
    const error = await caught(
      clientOf(other).images.generate(neverMade, { headers: { Prefer: "wait=1" } }),
    );
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "job_unfinished" });
    const { headers, message } = error as InstanceType<typeof OpenAI.APIError>;
    const jobId = headers?.get("X-Service-Job-Id") ?? "none";
    expect(message).toContain(jobId);
    expect(headers?.get("Location")).toBe(`${stack.url}/v1/jobs/${jobId}`);
    expect(headers?.get("Retry-After")).toMatch(/^\d+$/);
    const list = await stack.request(other, "GET", "/v1/jobs");
    expect(((await list.json()) as { jobs: object[] }).jobs).toHaveLength(1);
  });

  it("gets the image by asking again with the same idempotency key", async () => {
    const other = await stack.createAccount();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await mayEnd;
      return { kind: "image" };
    });
    const ask = (waitSeconds: number) =>
      stack.request(other, "POST", "/v1/images/generations", image, {
        "Idempotency-Key": "patient",
        Prefer: `wait=${waitSeconds}`,
      });
    const first = await ask(0);
    expect(first.status).toBe(503);
    expect(first.headers.get("X-Should-Retry")).toBe("true");
    const second = ask(60);
    end();
    expect((await second).status).toBe(200);
    stack.provider.behave(() => ({ kind: "image" }));
    expect(await balanceOf(other)).toBe("9.95");
  });

  it("is told with every answer of a job whether asking again would be paid for again", async () => {
    const other = await stack.createAccount();
    const ask = (headers: Record<string, string>) =>
      stack.request(other, "POST", "/v1/images/generations", image, headers);
    expect((await ask({})).headers.get("X-Should-Retry")).toBe("false");
    expect((await ask({ "Idempotency-Key": "once" })).headers.get("X-Should-Retry")).toBe("true");
    const refused = await stack.request(other, "POST", "/v1/images/generations", {});
    expect(refused.headers.get("X-Should-Retry")).toBeNull();
  });

  it("is told when the job was cancelled, and not made to ask again", async () => {
    const other = await stack.createAccount();
    const asked = await stack.request(other, "POST", "/v1/images/generations", neverMade, {
      "Idempotency-Key": "cancelled",
      Prefer: "respond-async",
    });
    const jobId = asked.headers.get("X-Service-Job-Id");
    await stack.request(other, "DELETE", `/v1/jobs/${jobId}`);
    const error = await caught(
      clientOf(other).images.generate(neverMade, { headers: { "Idempotency-Key": "cancelled" } }),
    );
    expect(error).toBeInstanceOf(OpenAI.ConflictError);
    expect(error).toMatchObject({ code: "job_cancelled" });
    const { headers } = error as InstanceType<typeof OpenAI.APIError>;
    expect(headers?.get("X-Should-Retry")).toBe("false");
  });
});

it("makes what the same request to POST /v1/generate/image makes, at the same price", async () => {
  const other = await stack.createAccount();
  const { response } = await clientOf(other).images.generate(image).withResponse();
  const jobId = response.headers.get("X-Service-Job-Id");
  const read = await stack.request(other, "GET", `/v1/jobs/${jobId}`);
  const made = job.parse(await read.json());
  const usual = await stack.request(other, "POST", "/v1/generate/image", image);
  const answer = (await usual.json()) as GenerationResponse;
  expect(made.cost_eur).toBe(answer.cost_eur);
  expect(Object.keys(made.result ?? {})).toEqual(Object.keys(answer));
  expect(response.headers.get("RateLimit-Policy")).toBe(usual.headers.get("RateLimit-Policy"));
});
