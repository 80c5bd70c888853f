import { randomUUID } from "node:crypto";
import { quote, upload as uploadSchema } from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import OpenAI, { toFile } from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };

let stack: Stack;
let client: Client;
let openai: OpenAI;
let picture: Buffer;
/** An upload of the picture, and its signed URL. */
let uploaded: { readonly id: string; readonly url: string };

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  openai = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: client.account.key });
  const create = { width: 64, height: 48, channels: 3, background: "#2b4c7e" } as const;
  picture = await sharp({ create }).png().toBuffer();
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(picture),
  });
  uploaded = uploadSchema.parse(await response.json());
});

afterAll(() => stack?.stop());

const dataUrl = () => `data:image/png;base64,${picture.toString("base64")}`;

/** Makes an image with OpenAI's client, and reads its job and what the provider was sent. */
async function make(fields: object, headers: Readonly<Record<string, string>> = {}) {
  const body = { ...image, ...fields } as OpenAI.ImageGenerateParamsNonStreaming;
  const { data, response } = await openai.images.generate(body, { headers }).withResponse();
  expect(data.data?.[0]?.b64_json).toBeDefined();
  const job = await client.read(response.headers.get("X-Service-Job-Id") ?? "");
  const ignored = response.headers.get("Atelier-Ignored");
  return { job, ignored, call: stack.provider.calls.at(-1) };
}

describe("honours", () => {
  it("aspect_ratio and image_size", async () => {
    const { job, ignored } = await make({ aspect_ratio: "16x9", image_size: "1k" });
    expect(job.request).toMatchObject({ aspect_ratio: "16:9", image_size: "1K" });
    expect(ignored).toBeNull();
  });

  it.each([
    ["image", () => uploaded.url],
    ["image", () => [uploaded.url, { file_id: uploaded.id }]],
    ["images", () => [{ image_url: uploaded.url }]],
    ["image_urls", () => [uploaded.url]],
    ["image", () => dataUrl()],
    ["image", () => picture.toString("base64")],
    ["images", () => [{ image_url: { url: dataUrl() } }, uploaded.url]],
    ["image_urls", () => [dataUrl()]],
    ["reference_images", () => [{ url: dataUrl(), description: "a sea" }]],
    ["reference_images", () => [{ upload_id: uploaded.id, description: "a sea" }]],
    ["image_url", () => ({ url: uploaded.url })],
  ])("%s as references", async (name, images) => {
    const sent = images();
    const { call, ignored } = await make({ [name]: sent });
    expect(call?.references).toBe([sent].flat().length);
    expect(ignored).toBeNull();
  });

  it("a reference in base64 with the same job for the same image and key", async () => {
    const key = { "Idempotency-Key": "reference" };
    const [first, second] = [
      await make({ image: dataUrl() }, key),
      await make({ image: dataUrl() }, key),
    ];
    expect(second.job.id).toBe(first.job.id);
    const other = await sharp(picture).negate().png().toBuffer();
    await expect(make({ image: other.toString("base64") }, key)).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  it("num_inference_steps and parameters, at their price", async () => {
    const parameters = { sampler: "Euler" };
    const { job, call, ignored } = await make({ num_inference_steps: "30", parameters });
    expect(call?.parameters).toMatchObject({ steps: 30, sampler: "Euler" });
    expect(job.cost_eur).toBe("0.06");
    expect(ignored).toBeNull();
  });

  it("seed and negative_prompt", async () => {
    const { call, ignored } = await make({ seed: "7", negative_prompt: "fog" });
    expect(call).toMatchObject({ seed: 7, negativePrompt: "fog" });
    expect(ignored).toBeNull();
  });

  it("an option only once for a key", async () => {
    const key = { "Idempotency-Key": "steps" };
    await make({ num_inference_steps: 8 }, key);
    await expect(make({ num_inference_steps: 9 }, key)).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  it("strength and steps of an edit, in a form", async () => {
    const { response } = await openai.images
      .edit({
        model: "builtin-illustrator",
        prompt: "a red boat",
        image: await toFile(picture, "sea.png", { type: "image/png" }),
        strength: "0.4",
        num_inference_steps: 8,
        image_size: "1k",
      } as unknown as OpenAI.ImageEditParamsNonStreaming)
      .withResponse();
    expect(response.headers.get("Atelier-Ignored")).toBe("num_inference_steps");
    const job = await client.read(response.headers.get("X-Service-Job-Id") ?? "");
    expect(job.request).toMatchObject({ strength: 0.4, image_size: "1K" });
  });
});

describe("an edit", () => {
  const edit = async (bytes: Buffer, fields: object = {}) =>
    openai.images.edit({
      model: "builtin-illustrator",
      prompt: "a red boat",
      image: await toFile(bytes, "sea.png", { type: "image/png" }),
      ...fields,
    });

  it.each([
    [9_000, 30],
    [12, 4_000],
  ])("of an image of %d × %d pixels has at least as many on each edge", async (width, height) => {
    const create = { width, height, channels: 3, background: "#2b4c7e" } as const;
    const { data } = await edit(await sharp({ create }).png().toBuffer());
    const made = await sharp(Buffer.from(data?.[0]?.b64_json ?? "", "base64")).metadata();
    expect(made.width).toBeGreaterThanOrEqual(width);
    expect(made.height).toBeGreaterThanOrEqual(height);
  });

  it("of an extreme shape costs what its pixels do, at each size", async () => {
    const create = { width: 9_000, height: 30, channels: 3, background: "#2b4c7e" } as const;
    const stored = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(await sharp({ create }).png().toBuffer()),
    });
    const edited = { upload_id: uploadSchema.parse(await stored.json()).id };
    const quoteOf = async (image_size: string) => {
      const request = { model: "builtin-illustrator", prompt: "a boat", image: edited, image_size };
      const body = { operation: "edit", request };
      const response = await stack.request(client.account, "POST", "/v1/quotes", body);
      return quote.parse(await response.json());
    };
    expect(await quoteOf("4K")).toEqual(await quoteOf("1K"));
  });

  it("of eight images in JSON names none of them as ignored", async () => {
    const images = Array.from({ length: 8 }, () => ({ file_id: uploaded.id }));
    const body = { model: "builtin-illustrator", prompt: "a red boat", images };
    const headers = { "Atelier-Strict": "true" };
    const response = await openai.post("/images/edits", { body, headers }).asResponse();
    expect(response.headers.get("Atelier-Ignored")).toBeNull();
  });

  it.each([
    ["image", { images: [{ image_url: "https://10.0.0.1/a.png" }] }],
    ["mask", { mask: { image_url: "https://10.0.0.1/a.png" } }],
  ])("names the field %s whose image it cannot read", async (param, fields) => {
    const request = { model: "builtin-illustrator", prompt: "a red boat" };
    const body = { ...request, images: [{ file_id: uploaded.id }], ...fields };
    await expect(openai.post("/images/edits", { body })).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining(`${param}: the image could not be reached.`),
    });
  });
});

it.each([
  ["an unknown upload", () => ({ file_id: randomUUID() })],
  ["an expired URL of this service", () => `${stack.url}/images/x.png?signature=1`],
  ["a data: URL that is not an image", () => "data:image/png;base64,AAAA"],
])("a reference that is %s is 400 and costs nothing", async (_name, reference) => {
  const before = await client.money();
  await expect(make({ image: reference() })).rejects.toMatchObject({ status: 400 });
  expect(await client.money()).toEqual(before);
});

describe("names in Atelier-Ignored, and makes the image without", () => {
  it.each([
    [{ aspect_ratio: "5:4" }, "aspect_ratio"],
    [{ aspect_ratio: 7, image_size: "8K" }, "aspect_ratio, image_size"],
    [{ size: "1024x1024", aspect_ratio: "16:9" }, "aspect_ratio"],
    [{ guidance_scale: 3.5, num_inference_steps: 999 }, "guidance_scale, num_inference_steps"],
    [{ parameters: { steps: 8, guidance: 2 } }, "parameters.guidance"],
    [{ parameters: { steps: 8, foo: 1 } }, "parameters.foo"],
    [{ parameters: { guidance: 2 } }, "parameters"],
    [{ parameters: "fast" }, "parameters"],
    [{ image: "http://images.example.com/a.png" }, "image"],
    [{ image: "https://10.0.0.1/a.png" }, "image"],
    [{ image: Array.from({ length: 6 }, () => "https://images.example.com/a.png") }, "image"],
    [
      { quality: "high", style: "vivid", output_compression: 80 },
      "quality, style, output_compression",
    ],
    [{ model: "builtin-pattern", seed: 7, image: ["https://images.example.com/a.png"] }, "image"],
  ])("%j", async (fields, names) => {
    expect((await make(fields)).ignored).toBe(names);
  });

  it("a negative prompt that the model does not take", async () => {
    const { ignored, job } = await make({ model: "builtin-pattern", negative_prompt: "fog" });
    expect([ignored, job.status]).toEqual(["negative_prompt", "completed"]);
  });
});

describe("Atelier-Strict: true", () => {
  const strict = { "Atelier-Strict": "1" };

  it.each([
    [{ style: "vivid" }, "style"],
    [{ guidance_scale: 3.5 }, "guidance_scale"],
    [{ size: "1536x1024", aspect_ratio: "16:9" }, "aspect_ratio"],
    [{ size: "1:1", aspect_ratio: "16:9" }, "aspect_ratio"],
    [{ model: "builtin-illustrator", size: "1024x1024", image_size: "2K" }, "image_size"],
    [{ image: "http://images.example.com/a.png" }, "image"],
  ])("refuses a request with %j, which costs nothing", async (fields, param) => {
    const before = await client.money();
    await expect(make(fields, strict)).rejects.toMatchObject({
      status: 400,
      code: "invalid_request",
      param,
      message: expect.stringContaining(`${param} is without effect`),
    });
    expect(await client.money()).toEqual(before);
  });

  it.each([
    { size: "1536x1024", aspect_ratio: "3:2" },
    { size: "1792x1024", aspect_ratio: "16:9", image_size: "1K" },
    { size: "2048x2048", image_size: "2k", aspect_ratio: "square" },
    { size: "16:9", aspect_ratio: "16x9" },
    { size: "2K", image_size: "2K" },
  ])("accepts sizes that agree, as in %j", async (sizes) => {
    const fields = { model: "builtin-illustrator", ...sizes };
    expect((await make(fields, strict)).ignored).toBeNull();
  });

  it("accepts a request whose parameters all have an effect", async () => {
    expect((await make({ aspect_ratio: "16:9", quality: "auto" }, strict)).ignored).toBeNull();
  });
});
