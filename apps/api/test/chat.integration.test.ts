import { chatCompletion, job, type Job } from "@atelier/schemas";
import { freePorts } from "@atelier/local-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { makePictures, readImages } from "./support/pictures.ts";

const model = "fake-blind";
const editor = "builtin-illustrator";
const path = "/v1/chat/completions";
const modalities = ["image", "text"];

let stack: Stack;
let account: TestAccount;
let openai: OpenAI;
let picture: string;

beforeAll(async () => {
  picture = `data:image/png;base64,${(await makePictures()).picture.toString("base64")}`;
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "builtin,fake-blind" },
  });
});

afterAll(() => stack.stop());

beforeEach(async () => {
  account = await stack.createAccount();
  openai = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: account.key, maxRetries: 0 });
});

const user = (content: unknown) => ({ role: "user", content });
const shown = (url: string) => ({ type: "image_url", image_url: { url } });

async function ask(body: object, headers = {}, base = stack.url) {
  const response = await fetch(base + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ model, modalities, ...body }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function readJobs(): Promise<Job[]> {
  const response = await stack.request(account, "GET", "/v1/jobs");
  const { jobs } = (await response.json()) as { jobs: { id: string }[] };
  return Promise.all(
    jobs.map(async ({ id }) => {
      const read = await stack.request(account, "GET", `/v1/jobs/${id}`);
      return job.parse(await read.json());
    }),
  );
}

async function pngOf(body: unknown) {
  const { choices } = chatCompletion.parse(body);
  const [, base64] = choices[0]?.message.images[0]?.image_url.url.split(",") ?? [];
  return readImages([base64]);
}

describe("OpenAI's client", () => {
  const request = {
    model,
    modalities,
    messages: [
      { role: "system", content: "You are a pirate." },
      user("a windmill"),
      { role: "assistant", content: "Ahoy" },
      user("a lighthouse at dusk"),
    ],
    temperature: 0.7,
  } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;

  it("gets the image of the last user message, charged once", async () => {
    const { data, response } = await openai.chat.completions.create(request).withResponse();
    expect(await pngOf(data)).toMatchObject([{ format: "png", width: 256 }]);
    expect(response.headers.get("Atelier-Ignored")).toBe("temperature");
    expect(stack.provider.calls.at(-1)?.prompt).toBe("a lighthouse at dusk");
    expect(await readJobs()).toMatchObject([{ operation: "image", cost_eur: "0.05" }]);
  });

  it("gets the image in one chunk of a stream", async () => {
    const stream = await openai.chat.completions.create({ ...request, stream: true });
    const chunks = await Array.fromAsync(stream);
    expect(chunks).toHaveLength(1);
    const [choice] = chunks[0]?.choices ?? [];
    expect(choice).toMatchObject({
      finish_reason: "stop",
      delta: {
        role: "assistant",
        images: [{ image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) } }],
      },
    });
  });

  it("throws BadRequestError without modalities, and pays for one image of a whole session", async () => {
    await openai.chat.completions.create(request);
    const questions = [
      "Suggest 3-5 relevant follow-up questions.",
      "Generate a concise title with an emoji.",
      "Generate 1-3 broad tags.",
    ];
    for (const content of questions) {
      const { modalities: _, ...without } = request;
      const messages = [...request.messages, { role: "user" as const, content }];
      const asked = openai.chat.completions.create({ ...without, messages });
      await expect(asked).rejects.toThrow(OpenAI.BadRequestError);
      await expect(asked).rejects.toMatchObject({ code: "invalid_request", param: "modalities" });
      await expect(asked).rejects.toThrow("answers no questions");
    }
    expect(await readJobs()).toHaveLength(1);
  });

  it("is charged one request for a question about a chat with images", async () => {
    const messages = [{ role: "assistant", images: [shown(picture)] }, user("a title")];
    const { status, headers } = await ask({ modalities: undefined, messages });
    expect(status).toBe(400);
    const [, limit] = /q=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "") ?? [];
    const [, left] = /r=(\d+)/.exec(headers.get("RateLimit") ?? "") ?? [];
    expect(Number(limit) - Number(left)).toBe(1);
  });

  it("throws BadRequestError for a prompt that moderation refuses", async () => {
    const messages = [{ role: "user" as const, content: "a severed head on a table" }];
    await expect(openai.chat.completions.create({ ...request, messages })).rejects.toMatchObject({
      status: 400,
      code: "content_policy_violation",
    });
  });
});

describe("images of the messages", () => {
  it("the last one of an assistant is changed", async () => {
    const messages = [
      user("a harbour"),
      { role: "assistant", content: "", images: [shown(picture)] },
      user("a red boat"),
    ];
    const { status, body } = await ask({ model: editor, messages });
    expect(status).toBe(200);
    expect(await pngOf(body)).toMatchObject([{ format: "png" }]);
    const [made] = await readJobs();
    expect(made).toMatchObject({ operation: "edit", request: { prompt: "a red boat" } });
    // Nothing of the picture is stored in the request.
    expect(JSON.stringify(made)).not.toContain(picture.slice(-100));
  });

  it.each([
    ["an object", shown],
    ["a text", (url: string) => ({ type: "image_url", image_url: url })],
  ])("those of the user are references, as %s", async (_form, show) => {
    const parts = [{ type: "text", text: "a fox like this" }, show(picture)];
    const { status } = await ask({ model: editor, messages: [user(parts)] });
    expect(status).toBe(200);
    const [made] = await readJobs();
    expect(made).toMatchObject({
      operation: "image",
      request: { reference_images: [{ upload_id: expect.any(String) }] },
    });
  });

  it.each([
    ["as Markdown", (url: string) => `Here it is:\n\n![a harbour](${url})\n\nEnjoy!`],
    ["as HTML in a part", (url: string) => [{ type: "text", text: `<img src="${url}"/>` }]],
  ])("the last one of an assistant is changed also %s, of any size", async (_form, write) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 800, height: 600, channels: 3, background: "#808080", noise } as const;
    const large = await sharp({ create }).png().toBuffer();
    expect(large.byteLength).toBeGreaterThan(1_200_000);
    const messages = [
      user("a harbour"),
      { role: "assistant", content: write(`data:image/png;base64,${large.toString("base64")}`) },
      user("a red boat"),
    ];
    const { status, body } = await ask({ model: editor, messages });
    expect({ status, body }).toMatchObject({ status: 200 });
    const request = { prompt: "a red boat", image: { upload_id: expect.any(String) } };
    expect(await readJobs()).toMatchObject([{ operation: "edit", request }]);
  });

  it("one in the text of the user is a reference, and no part of the prompt", async () => {
    const content = `a fox like ![this one](${picture} "fox") and ![that](data:image/png;base64,AAAA)`;
    const { status, body } = await ask({ model: editor, messages: [user(content)] });
    expect({ status, body }).toMatchObject({ status: 200 });
    const reference_images = [{ upload_id: expect.any(String) }];
    const request = { prompt: "a fox like  and", reference_images };
    expect(await readJobs()).toMatchObject([{ operation: "image", request }]);
  });

  it("of earlier messages may be too many, and unusable", async () => {
    const gif = `data:image/gif;base64,${Buffer.from("GIF89a").toString("base64")}`;
    const broken = `${picture.slice(0, 33)}${"A".repeat(40)}`;
    const video = { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } };
    const messages = [
      user([{ type: "text", text: "a fox" }, shown(gif), video]),
      ...Array.from({ length: 18 }, () => ({ role: "assistant", images: [shown(picture)] })),
      user([{ type: "text", text: "a fox" }, shown(broken)]),
      user("a red boat"),
    ];
    expect((await ask({ model: editor, messages })).status).toBe(200);
    expect(await readJobs()).toMatchObject([{ operation: "edit" }]);
    const { status, body } = await ask({
      model: editor,
      messages: [...messages, user([{ type: "text", text: "a fox" }, shown(gif)])],
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { param: "messages.21.content.1.image_url.url" } });
  });

  it("one of an assistant is left out for a model that cannot edit", async () => {
    const messages = [{ role: "assistant", images: [shown(picture)] }, user("a red boat")];
    expect((await ask({ messages })).status).toBe(200);
    expect(await readJobs()).toMatchObject([{ operation: "image" }]);
  });

  it.each([
    ["a URL without HTTPS", [{ type: "text", text: "a fox" }, shown("file:///etc/passwd")]],
    ["an image without a URL", [{ type: "text", text: "a fox" }, { type: "image_url" }]],
    ["a message without text", [shown("https://images.example.com/a.png")]],
    ["an empty message", ""],
    ["a text of more than 32,000 characters", "a".repeat(32_001)],
  ])("%s is 400 and costs nothing", async (_, content) => {
    const { status, body } = await ask({ messages: [user(content)] });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { param: expect.stringMatching(/^messages\.0\.content/) },
    });
    expect(await readJobs()).toEqual([]);
  });
});

it("image_config selects aspect ratio and image size", async () => {
  const image_config = { aspect_ratio: "16:9", image_size: "1K" };
  const { body } = await ask({ model: editor, messages: [user("a fox")], image_config });
  const [image] = await pngOf(body);
  expect((image?.width ?? 0) / (image?.height ?? 1)).toBeCloseTo(16 / 9, 1);
});

describe("image_config", () => {
  const messages = [user("a fox")];

  it.each([
    [
      "other spellings",
      { aspect_ratio: "16x9", image_size: "1k" },
      { aspect_ratio: "16:9", image_size: "1K" },
      null,
    ],
    ["auto", { aspect_ratio: "auto", image_size: "auto" }, {}, null],
    ["the name of a ratio", { aspect_ratio: "square" }, { aspect_ratio: "1:1" }, null],
    ["a long text", { aspect_ratio: "x".repeat(500_000) }, {}, "image_config.aspect_ratio"],
    [
      "sizes that the model does not make",
      { aspect_ratio: "77:3", image_size: "9K" },
      {},
      "image_config.aspect_ratio, image_config.image_size",
    ],
  ])("may have %s", async (_name, image_config, made, ignored) => {
    const { status, headers } = await ask({ model: editor, messages, image_config });
    expect(status).toBe(200);
    expect(headers.get("Atelier-Ignored")).toBe(ignored);
    expect(await readJobs()).toMatchObject([{ request: made }]);
  });

  it("names the aspect ratio that an edit does not honour, and Atelier-Strict refuses it", async () => {
    const edit = {
      model: editor,
      messages: [{ role: "assistant", images: [shown(picture)] }, ...messages],
      image_config: { aspect_ratio: "16:9", image_size: "1K" },
    };
    const refused = await ask(edit, { "Atelier-Strict": "true" });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { param: "image_config.aspect_ratio" } },
    });
    const { headers } = await ask(edit);
    expect(headers.get("Atelier-Ignored")).toBe("image_config.aspect_ratio");
    expect(await readJobs()).toMatchObject([{ operation: "edit", request: { image_size: "1K" } }]);
  });
});

it("more than one image is 400", async () => {
  expect((await ask({ messages: [user("a fox")], n: 2 })).status).toBe(400);
});

it("a repeated request whose wait expired gets the same job", async () => {
  const messages = [{ role: "assistant", images: [shown(picture)] }, user("a boat")];
  const first = await ask({ model: editor, messages }, { Prefer: "wait=0" });
  expect([first.status, first.headers.get("X-Should-Retry")]).toEqual([503, "true"]);
  const second = await ask({ model: editor, messages });
  expect(second.status).toBe(200);
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await readJobs()).toHaveLength(1);
});

it("CHAT_IMAGE_DEFAULT=on makes an image without modalities", async () => {
  const [port, adminPort] = await freePorts(2);
  await stack.startApi({
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    CHAT_IMAGE_DEFAULT: "on",
  });
  const body = { messages: [user("a fox")], modalities: undefined };
  expect((await ask(body, {}, `http://127.0.0.1:${port}`)).status).toBe(200);
  const text = { messages: [user("a fox")], modalities: ["text"] };
  expect((await ask(text, {}, `http://127.0.0.1:${port}`)).status).toBe(400);
});
