import { createHash } from "node:crypto";
import { job, openaiErrorBody, type GenerationResponse } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { holdCalls } from "./support/hold-calls.ts";
import { startSecondApi } from "./support/second-api.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };
/** No worker of this stack serves the lane of this model, so its jobs stay pending. */
const unfinishedImage = { ...image, model: "fake-resumable" };

let stack: Stack;
let account: TestAccount;
let openai: OpenAI;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_LANES: "builtin,fake-blind",
      OPENAI_MODEL_ALIASES: "dall-e-*=fake-blind",
    },
  });
  account = await stack.createAccount();
  openai = clientOf(account);
});

afterAll(() => stack.stop());

/** OpenAI's own client with only the base URL and the key changed. */
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
      response_format: "url",
    });
    expect(created * 1_000).toBeGreaterThan(before - 60_000);
    expect(data).toHaveLength(1);
    const response = await fetch(data?.[0]?.url ?? "");
    expect(response.headers.get("Content-Type")).toBe("image/png");
    const { width, height } = await sharp(await response.arrayBuffer()).metadata();
    expect((width ?? 0) / (height ?? 1)).toBeCloseTo(3 / 2, 1);
  });

  it("makes an image and gets the same bytes as the job", async () => {
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

  it("gets the tokens of all images that the vendor counted", async () => {
    const units = { text_input_tokens: 12, image_input_tokens: 40, image_output_tokens: 1_056 };
    stack.provider.behave(() => ({ kind: "image", units }));
    const { usage } = await openai.images.generate({ ...image, n: 2, response_format: "url" });
    stack.provider.behave(() => ({ kind: "image" }));
    expect(usage).toEqual({
      input_tokens: 104,
      input_tokens_details: { text_tokens: 24, image_tokens: 80 },
      output_tokens: 2_112,
      output_tokens_details: { text_tokens: 0, image_tokens: 2_112 },
      total_tokens: 2_216,
    });
    const without = await openai.images.generate({ ...image, response_format: "url" });
    expect(without).not.toHaveProperty("usage");
  });

  it("gets one image per idempotency key, in either response format", async () => {
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
    const error = await caught(
      clientOf({ accountId: "", keyId: "", key: "sk-wrong" }).images.generate(image),
    );
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
    expect(error).toMatchObject({
      code: "content_policy_violation",
      type: "image_generation_user_error",
      param: "prompt",
      error: { moderation_details: { moderation_stage: "input", categories: ["gore"] } },
    });
    const { message } = error as Error;
    expect(message).toContain("Change the text of prompt;");
    expect(message).toContain("Category: gore.");
    expect(message).not.toContain("details");
    expect(await balanceOf(other)).toBe("10.00");
  });

  it("maps OpenAI's moderation parameter to strictness", async () => {
    const prompt = "a severed head on a table";
    const { data } = await openai.images.generate({ ...image, prompt, moderation: "low" });
    expect(data?.[0]?.b64_json).toBeDefined();
  });

  it.each([
    [{ n: 11 }, "n"],
    [{ size: "large" }, "size"],
    [{ quality: "ultra" }, "quality"],
    [{ output_format: "gif" }, "output_format"],
    [{ background: "transparent", model: "builtin-illustrator" }, "background"],
  ])("throws BadRequestError for what the model cannot do: %o", async (wish, param) => {
    const body = { ...image, ...wish } as OpenAI.ImageGenerateParamsNonStreaming;
    const error = await caught(openai.images.generate(body));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    const codes: Record<string, string> = {
      background: "model_not_capable",
      size: "unsupported_image_size",
    };
    const code = codes[param] ?? "invalid_request";
    expect(error).toMatchObject({ code, param });
  });

  it("throws NotFoundError for an unknown model", async () => {
    const error = await caught(openai.images.generate({ ...image, model: "gpt-image-1" }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: "model_not_found" });
    await expect(openai.images.generate({ ...image, model: "fake-blnd" })).rejects.toThrow(
      'Did you mean "fake-blind"?',
    );
  });

  it.each([
    ["lacks /v1", ""],
    ["has /v1 twice", "/v1/v1"],
    ["is that of a deployment on Azure", "/openai/deployments/gpt-image-1"],
  ])("throws NotFoundError with the right URL when the base URL %s", async (_, path) => {
    const lost = new OpenAI({ baseURL: `${stack.url}${path}`, apiKey: account.key });
    const meant = `Did you mean ${stack.url}/v1/`;
    await expect(lost.images.generate(image)).rejects.toThrow(`${meant}images/generations?`);
    const error = await caught(lost.models.list());
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: "not_found", message: expect.stringContaining(meant) });
    await expect(lost.models.retrieve("fake-blind")).rejects.toThrow(`${meant}models/fake-blind?`);
  });

  it("throws NotFoundError with the methods of the path", async () => {
    const error = await caught(openai.get("/images/generations"));
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining("has POST.") });
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get("Allow")).toBe("POST");
  });

  it("throws an APIError with our code when the credit is too small", async () => {
    const poor = await stack.createAccount("0.01");
    const error = await caught(clientOf(poor).images.generate(image));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status: 402, code: "insufficient_credit" });
  });

  it("does not retry a permanently failed job", async () => {
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const before = stack.provider.calls.length;
    const error = await caught(openai.images.generate(image));
    stack.provider.behave(() => ({ kind: "image" }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({
      code: "content_policy_violation",
      error: { moderation_details: { moderation_stage: "unknown", categories: ["violence"] } },
    });
    expect(stack.provider.calls.length).toBe(before + 1);
  });
});

describe("without response_format", () => {
  /** Reads an image as Open WebUI does: `url` first, which it refuses when the address is private. */
  async function readUrlFirst([first]: OpenAI.Image[] = []): Promise<Buffer> {
    if (first?.url !== undefined) throw new Error(`refused: ${first.url} is a private address`);
    return Buffer.from(first?.b64_json ?? "", "base64");
  }

  it("sends base64 alone, which clients read that refuse URLs of private addresses", async () => {
    const { data } = await openai.images.generate(image);
    expect((await sharp(await readUrlFirst(data)).metadata()).format).toBe("png");
  });

  it("sends the URL alone for a model of the name dall-e-*", async () => {
    const { data } = await openai.images.generate({ ...image, model: "dall-e-3" });
    expect(data).toEqual([{ url: expect.any(String) }]);
    expect((await fetch(data?.[0]?.url ?? "")).headers.get("Content-Type")).toBe("image/png");
  });

  it("sends both with OPENAI_DEFAULT_RESPONSE=both", async () => {
    const { url, program } = await startSecondApi(stack, { OPENAI_DEFAULT_RESPONSE: "both" });
    const second = new OpenAI({ baseURL: `${url}/v1`, apiKey: account.key });
    const { data } = await second.images.generate(image);
    await program.stop();
    expect(data).toEqual([{ url: expect.any(String), b64_json: expect.any(String) }]);
  });
});

describe("an error has OpenAI's format", () => {
  const path = "/v1/images/generations";
  const text = { "Content-Type": "text/plain" };
  const compressed = { "Content-Encoding": "compress" };
  const basic = { Authorization: "Basic eDp5" };
  const wrong = { Authorization: "Bearer sk-wrong" };
  const large = `"${"x".repeat(3_000_000)}"`;

  it.each([
    ["of an unknown path", "POST", "/v1/images/upscales", {}, "{}", 404, "not_found"],
    ["of a wrong method", "PUT", path, {}, "{}", 404, "not_found"],
    ["of invalid JSON", "POST", path, {}, '{"prompt": ', 400, "invalid_request"],
    ["of a body that is too large", "POST", path, {}, large, 400, "request_too_large"],
    ["of another type", "POST", path, text, "x", 400, "unsupported_media_type"],
    ["of another encoding", "POST", path, compressed, "{}", 400, "unsupported_media_type"],
    ["of a query parameter", "POST", `${path}?page=2`, {}, "{}", 400, "invalid_request"],
    ["of a path with NUL", "POST", "/v1/images/%00", {}, "{}", 400, "invalid_request"],
    ["of another scheme", "POST", path, basic, "{}", 401, "unauthorized"],
    ["of a wrong key", "POST", "/v1/images/edits", wrong, "{}", 401, "unauthorized"],
    ["of a base URL without /v1", "POST", "/images/edits", {}, "{}", 404, "not_found"],
    ["of a base URL with /v1 twice", "POST", "/v1/v1/images/edits", {}, "{}", 404, "not_found"],
    ["of a path that only OpenAI has", "POST", "/v1/v1/audio/speech", {}, "{}", 404, "not_found"],
  ] as const)("%s", async (_, method, at, headers, body, status, code) => {
    const response = await stack.request(account, method, at, body, headers);
    expect(response.status).toBe(status);
    const { error } = openaiErrorBody.parse(await response.json());
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("details");
  });
});

describe("when the wait limit is reached before the image is done", () => {
  it("reports the job, and the client's automatic retry does not pay twice", async () => {
    const other = await stack.createAccount();
    const error = await caught(
      clientOf(other).images.generate(unfinishedImage, { headers: { Prefer: "wait=1" } }),
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

  it("returns the image for a retry with the same idempotency key", async () => {
    const other = await stack.createAccount();
    const held = holdCalls(stack.provider);
    const ask = (waitSeconds: number) =>
      stack.request(other, "POST", "/v1/images/generations", image, {
        "Idempotency-Key": "patient",
        Prefer: `wait=${waitSeconds}`,
      });
    const first = await ask(0);
    expect(first.status).toBe(503);
    expect(first.headers.get("X-Should-Retry")).toBe("true");
    const second = ask(60);
    held.release();
    expect((await second).status).toBe(200);
    stack.provider.behave(() => ({ kind: "image" }));
    expect(await balanceOf(other)).toBe("9.95");
  });

  it("sets X-Should-Retry on every response with a job", async () => {
    const other = await stack.createAccount();
    const ask = (headers: Record<string, string>) =>
      stack.request(other, "POST", "/v1/images/generations", image, headers);
    expect((await ask({})).headers.get("X-Should-Retry")).toBe("true");
    expect((await ask({ "Idempotency-Key": "once" })).headers.get("X-Should-Retry")).toBe("true");
    const refused = await stack.request(other, "POST", "/v1/images/generations", {});
    expect(refused.headers.get("X-Should-Retry")).toBeNull();
  });

  it("reports a cancelled job without causing a retry", async () => {
    const other = await stack.createAccount();
    const submitted = await stack.request(
      other,
      "POST",
      "/v1/images/generations",
      unfinishedImage,
      {
        "Idempotency-Key": "cancelled",
        Prefer: "respond-async",
      },
    );
    const jobId = submitted.headers.get("X-Service-Job-Id");
    await stack.request(other, "DELETE", `/v1/jobs/${jobId}`);
    const error = await caught(
      clientOf(other).images.generate(unfinishedImage, {
        headers: { "Idempotency-Key": "cancelled" },
      }),
    );
    expect(error).toBeInstanceOf(OpenAI.ConflictError);
    expect(error).toMatchObject({ code: "job_cancelled" });
    const { headers } = error as InstanceType<typeof OpenAI.APIError>;
    expect(headers?.get("X-Should-Retry")).toBe("false");
  });
});

it("makes the same image at the same price as POST /v1/generate/image", async () => {
  const other = await stack.createAccount();
  const { response } = await clientOf(other).images.generate(image).withResponse();
  const jobId = response.headers.get("X-Service-Job-Id");
  const read = await stack.request(other, "GET", `/v1/jobs/${jobId}`);
  const readJob = job.parse(await read.json());
  const nativeResponse = await stack.request(other, "POST", "/v1/generate/image", image);
  const answer = (await nativeResponse.json()) as GenerationResponse;
  expect(readJob.cost_eur).toBe(answer.cost_eur);
  expect(Object.keys(readJob.result ?? {})).toEqual(Object.keys(answer));
  expect(response.headers.get("RateLimit-Policy")).toBe(
    nativeResponse.headers.get("RateLimit-Policy"),
  );
});
