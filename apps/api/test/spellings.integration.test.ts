import { hash, randomBytes } from "node:crypto";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { job, openaiImages, type Job } from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import OpenAI, { AzureOpenAI } from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };

let stack: Stack;
let client: Client;
let openai: OpenAI;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  openai = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: client.account.key });
});

afterAll(() => stack?.stop());

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  stack.request(client.account, "POST", path, body, headers);

/** Sends a request of the native API without waiting for its images. */
async function requestOf(fields: object, operation = "image"): Promise<Job["request"]> {
  const body = { ...image, ...fields };
  const response = await post(`/v1/generate/${operation}`, body, { Prefer: "respond-async" });
  expect(response.status).toBe(202);
  const jobId = response.headers.get("X-Service-Job-Id") ?? "";
  return client.read(jobId).then(({ request }) => request);
}

describe("a native request", () => {
  it.each([
    [{ aspect_ratio: "16x9" }, { aspect_ratio: "16:9" }],
    [{ aspect_ratio: "16/9" }, { aspect_ratio: "16:9" }],
    [{ aspect_ratio: "32:18" }, { aspect_ratio: "16:9" }],
    [{ aspect_ratio: "1920x1080" }, { aspect_ratio: "16:9" }],
    [{ aspect_ratio: "square" }, { aspect_ratio: "1:1" }],
    [{ aspect_ratio: "auto" }, { aspect_ratio: "1:1" }],
    [{ image_size: "1k" }, { image_size: "1K" }],
    [{ image_size: "auto" }, { image_size: "1K" }],
    [{ n: "1.0" }, { n: 1 }],
    [{ output: { formats: ["png"] } }, { output: { formats: [] } }],
    [{ output: { formats: ["PNG", "jpg"] } }, { output: { formats: ["jpeg"] } }],
  ])("with %j is understood as %j", async (fields, understood) => {
    expect(await requestOf(fields)).toMatchObject(understood);
  });

  it("for a story has the same spellings in its scenes", async () => {
    const scenes = [
      { prompt: "Mira wakes up", aspect_ratio: "32x18" },
      { prompt: "Mira goes out" },
    ];
    const characters = [{ name: "Mira", description: "a girl with red hair" }];
    const told = await requestOf(
      { prompt: undefined, aspect_ratio: "2/2", image_size: "1k", characters, scenes },
      "story",
    );
    expect(told).toMatchObject({
      aspect_ratio: "1:1",
      image_size: "1K",
      scenes: [{ aspect_ratio: "16:9" }, {}],
    });
  });

  it.each([
    ["aspect_ratio", "landscape", "unsupported_aspect_ratio", "Use one of 1:1, 16:9."],
    ["aspect_ratio", "4:3", "unsupported_aspect_ratio", "Use one of 1:1, 16:9."],
    ["image_size", "8K", "unsupported_image_size", "Use one of 1K."],
  ])("with %s: %j names what the model makes", async (field, value, code, advice) => {
    const response = await post("/v1/generate/image", { ...image, [field]: value });
    const error = await readError(response);
    expect([response.status, error.error]).toEqual([422, code]);
    expect(error.message).toContain(advice);
  });
});

describe("OpenAI's client", () => {
  it.each([
    [{ size: "1024X1024" }, { aspect_ratio: "1:1" }],
    [{ size: "1024*1024" }, { aspect_ratio: "1:1" }],
    [{ size: "1024×1024" }, { aspect_ratio: "1:1" }],
    [{ size: "1K" }, { aspect_ratio: "1:1", image_size: "1K" }],
    [{ size: "16:9" }, { aspect_ratio: "16:9" }],
    [{ size: "16x9" }, { aspect_ratio: "16:9" }],
    [{ size: "AUTO" }, { aspect_ratio: "1:1" }],
    [{ n: "1.0" }, { n: 1 }],
    [{ background: "Transparent" }, { background: "transparent" }],
  ])("sends %j, which is understood as %j", async (fields, understood) => {
    const body = { ...image, ...fields } as OpenAI.ImageGenerateParamsNonStreaming;
    const { data, response } = await openai.images.generate(body).withResponse();
    expect(data.data?.[0]?.b64_json).toBeDefined();
    const jobId = response.headers.get("X-Service-Job-Id") ?? "";
    expect((await client.read(jobId)).request).toMatchObject(understood);
    expect(response.headers.get("Atelier-Ignored")).toBeNull();
  });

  it.each([
    ["jpg", "jpeg"],
    ["PNG", "png"],
    ["image/webp", "webp"],
  ])("gets a file for the output format %s", async (output_format, format) => {
    const body = { ...image, output_format } as OpenAI.ImageGenerateParamsNonStreaming;
    const { output_format: sent, data } = await openai.images.generate(body);
    expect(sent).toBe(format);
    expect(data?.[0]?.b64_json).toBeDefined();
  });

  it("is told what the model makes instead of an unknown size", async () => {
    const body = { ...image, size: "large" } as unknown as OpenAI.ImageGenerateParamsNonStreaming;
    await expect(openai.images.generate(body)).rejects.toThrow(
      'fake-blind makes no image like large. Use "auto", 1K, 1:1, 16:9, or pixels',
    );
  });

  it("for Azure sends its key in the header api-key", async () => {
    const baseURL = `${stack.url}/v1`;
    const azure = new AzureOpenAI({
      baseURL,
      apiKey: client.account.key,
      apiVersion: "2026-04-01",
    });
    const { data } = await azure.models.list();
    expect(data.map(({ id }) => id)).toContain("fake-blind");
    await expect(azure.images.generate(image)).rejects.toThrow(
      `Did you mean ${stack.url}/v1/images/generations?`,
    );
  });
});

describe("a compressed body", () => {
  const send = (path: string, body: Buffer, headers: Readonly<Record<string, string>>) =>
    fetch(stack.url + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.account.key}`, ...headers },
      body: new Uint8Array(body),
    });

  it("is read by OpenAI-compatible requests, which send an image", async () => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": "zstd" };
    const body = Buffer.from(`\u{feff}${JSON.stringify(image)}`);
    const response = await send("/v1/images/generations", zstdCompressSync(body), headers);
    const { data } = openaiImages.parse(await response.json());
    expect(data[0]?.b64_json).toBeDefined();
  });

  it("may be a form with images", async () => {
    const create = { width: 64, height: 48, channels: 3, background: "#2b4c7e" } as const;
    const picture = await sharp({ create }).png().toBuffer();
    const form = new FormData();
    form.append("model", "builtin-illustrator");
    form.append("prompt", "a red boat");
    form.append("image", new Blob([new Uint8Array(picture)], { type: "image/png" }), "a.png");
    const encoded = new Response(form);
    const body = gzipSync(Buffer.from(await encoded.arrayBuffer()));
    const headers = {
      "Content-Type": encoded.headers.get("Content-Type") ?? "",
      "Content-Encoding": "gzip",
    };
    const response = await send("/v1/images/edits", body, headers);
    expect(openaiImages.parse(await response.json()).data).toHaveLength(1);
  });

  describe("of an upload", () => {
    const create = { width: 640, height: 480, channels: 3, background: "#2b4c7e" } as const;
    const upload = (body: Buffer, encoding: string, type = "image/png") =>
      send("/v1/uploads", body, { "Content-Type": type, "Content-Encoding": encoding });

    it.each([
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
      ["zstd", zstdCompressSync],
    ])("is stored decompressed, with %s", async (encoding, compress) => {
      const bytes = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
      const grain = Buffer.concat([bytes, randomBytes(20_000)]);
      const response = await upload(compress(grain), encoding);
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({
        size_bytes: grain.byteLength,
        hash: hash("sha256", grain),
        width: 640,
      });
    });

    it("may be a form", async () => {
      const form = new FormData();
      const bytes = await sharp({ create }).png().toBuffer();
      form.append("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "a.png");
      const encoded = new Response(form);
      const type = encoded.headers.get("Content-Type") ?? "";
      const body = gzipSync(Buffer.from(await encoded.arrayBuffer()));
      expect((await upload(body, "gzip", type)).status).toBe(201);
    });

    it.each([
      ["more than 100 times its compressed form", "request_too_large", "gzip", 2_000_000],
      ["more than 20 MB", "request_too_large", "gzip", 20_100_000],
      ["not what the header says", "invalid_request", "br", 1_000],
      ["of another encoding", "unsupported_media_type", "compress", 1_000],
    ])("is refused if it is %s", async (_name, error, encoding, zeros) => {
      const bytes = Buffer.concat([
        Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
        zeros > 20_000_000 ? randomBytes(zeros) : Buffer.alloc(zeros),
      ]);
      const response = await upload(gzipSync(bytes, { level: 1 }), encoding);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error });
      const { uploads } = (
        await stack.database.query<{ uploads: number }>(
          "SELECT count(*)::int AS uploads FROM upload WHERE account_id = $1 AND storage_key IS NULL",
          [client.account.accountId],
        )
      )[0] ?? { uploads: -1 };
      expect(uploads).toBe(0);
    });
  });

  it("may be the file of a batch, behind a byte order mark", async () => {
    const line = JSON.stringify({ operation: "image", body: image });
    const body = gzipSync(Buffer.from(`\u{feff}${line}\n${line}\n`));
    const headers = { "Content-Type": "application/jsonl", "Content-Encoding": "gzip" };
    const response = await send("/v1/batches", body, headers);
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { readonly id: string };
    const read = () => stack.request(client.account, "GET", `/v1/batches/${id}`);
    const ended = await eventually(
      async () => (await (await read()).json()) as { readonly status: string },
      ({ status }) => status === "completed",
    );
    expect(ended).toMatchObject({ counts: { completed: 2 } });
  });
});

it("the archive of a job takes the format jpg", async () => {
  const response = await post("/v1/generate/image", image);
  const jobId = response.headers.get("X-Service-Job-Id") ?? "";
  const path = `/v1/jobs/${jobId}/archive?format=JPG`;
  const archive = await stack.request(client.account, "GET", path);
  expect(archive.status).toBe(200);
  expect(Buffer.from(await archive.arrayBuffer()).includes(".jpg")).toBe(true);
  const read = await stack.request(client.account, "GET", `/v1/jobs/${jobId}`);
  expect(job.parse(await read.json()).status).toBe("completed");
});
