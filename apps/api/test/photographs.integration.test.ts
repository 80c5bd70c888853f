import {
  generationResponse,
  quote,
  upload as uploadSchema,
  type UploadResponse,
} from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack?.stop());

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

const send = (bytes: Buffer, type = "application/octet-stream") =>
  fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": type },
    body: new Uint8Array(bytes),
  });

async function upload(bytes: Buffer, type?: string): Promise<UploadResponse> {
  return uploadSchema.parse(await (await send(bytes, type)).json());
}

/** Makes an image of an operation, and returns its pixels without alpha. */
async function made(operation: string, body: object) {
  const path = `/v1/generate/${operation}`;
  const response = await stack.request(client.account, "POST", path, {
    model: "builtin-illustrator",
    ...body,
  });
  const answer: unknown = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  const { image_url: url = "" } = generationResponse.parse(answer);
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  return sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

describe("a photograph that a camera stored sideways", () => {
  /** Shown with 64 × 96 pixels, red above blue; stored with 96 × 64. */
  let sideways: UploadResponse;
  /** The lower half of what is shown. */
  let mask: UploadResponse;

  beforeAll(async () => {
    const shown = flat(64, 96, "#d02010").composite([
      { input: await flat(64, 48, "#1020d0").png().toBuffer(), left: 0, top: 48 },
    ]);
    const stored = await sharp(await shown.png().toBuffer())
      .rotate(-90)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    sideways = await upload(stored);
    mask = await upload(
      await flat(64, 96, "#000")
        .composite([{ input: await flat(64, 48, "#fff").png().toBuffer(), left: 0, top: 48 }])
        .png()
        .toBuffer(),
    );
  });

  it("has the displayed size as an upload", async () => {
    expect(sideways).toMatchObject({ width: 64, height: 96 });
    const response = await stack.request(client.account, "GET", `/v1/uploads/${sideways.id}`);
    expect(await response.json()).toMatchObject({ width: 64, height: 96 });
  });

  it.each([
    ["edit", { prompt: "a meadow" }],
    ["erase", {}],
  ])("takes a mask of the displayed size in %s, and keeps the rest", async (operation, body) => {
    const { data, info } = await made(operation, {
      ...body,
      image: { upload_id: sideways.id },
      mask: { upload_id: mask.id },
    });
    expect(info).toMatchObject({ width: 64, height: 96 });
    const [red = 0, , blue = 0] = data;
    expect(red).toBeGreaterThan(150);
    expect(blue).toBeLessThan(80);
  });

  it.each([
    ["upscale", { model: "builtin-upscaler", factor: 2 }, 128, 192],
    ["outpaint", { top: 32 }, 64, 128],
  ])("keeps its shape in %s", async (operation, body, width, height) => {
    const { info } = await made(operation, { ...body, image: { upload_id: sideways.id } });
    expect(info).toMatchObject({ width, height });
  });
});

describe("a photograph with more pixels than can be edited", () => {
  const sizes = { width: 6_000, height: 4_000 };
  const scaled = { model: "builtin-illustrator", prompt: "a meadow", image_size: "1K" };
  let photo: UploadResponse;

  beforeAll(async () => {
    photo = await upload(await flat(6_000, 4_000, "#d02010").jpeg().toBuffer());
  });

  const quoted = async (operation: string, request: object) => {
    const body = { operation, request };
    return stack.request(client.account, "POST", "/v1/quotes", body);
  };

  it("is scaled down, which the quote and the result say, at the price of the result", async () => {
    const request = { ...scaled, image: { upload_id: photo.id } };
    const answer = quote.parse(await (await quoted("edit", request)).json());
    expect(answer).toMatchObject({ scaled_from: sizes, price: { image_size: "1K" } });
    const response = await stack.request(client.account, "POST", "/v1/generate/edit", request);
    const result = generationResponse.parse(await response.json());
    expect(result).toMatchObject({ scaled_from: sizes, cost_eur: answer.price_eur });
    expect((result.width ?? 0) / (result.height ?? 1)).toBeCloseTo(1.5, 1);
    expect((await client.read(result.id)).result).toMatchObject({ scaled_from: sizes });
  });

  it("is refused by upscale, and so is a PNG of more than 24 megapixels by edit", async () => {
    const upscale = { model: "builtin-upscaler", factor: 2, image: { upload_id: photo.id } };
    const large = await upload(await flat(6_000, 4_100, "#247").png().toBuffer());
    for (const refused of [
      await quoted("upscale", upscale),
      await quoted("edit", { ...scaled, image: { upload_id: large.id } }),
    ]) {
      expect(refused.status).toBe(422);
      expect(await readError(refused)).toMatchObject({
        error: "reference_invalid",
        details: [{ path: "image", reason: "too_many_pixels" }],
      });
    }
  });

  it("has at most 50 megapixels as a JPEG", async () => {
    const image = {
      upload_id: (await upload(await flat(8_064, 6_048, "#247").jpeg().toBuffer())).id,
    };
    const answer = quote.parse(await (await quoted("edit", { ...scaled, image })).json());
    expect(answer.scaled_from).toEqual({ width: 8_064, height: 6_048 });
  });

  it("has at most 24 megapixels as an AVIF", async () => {
    // The size in the header counts, before a decoder reads the file.
    const large = await flat(64, 48, "#247").avif().toBuffer();
    const at = large.indexOf("ispe") + 8;
    large.writeUInt32BE(6_000, at);
    large.writeUInt32BE(4_001, at + 4);
    const refused = await send(large);
    expect(refused.status).toBe(422);
    expect(await readError(refused)).toMatchObject({
      error: "upload_invalid",
      message: expect.stringContaining("an AVIF 24 million"),
      details: [{ reason: "too_many_pixels" }],
    });
  });

  it("does not say so when it is small enough", async () => {
    const image = { upload_id: (await upload(await flat(64, 48, "#247").jpeg().toBuffer())).id };
    const answer = quote.parse(await (await quoted("edit", { ...scaled, image })).json());
    expect(answer).not.toHaveProperty("scaled_from");
  });
});

describe("an AVIF", () => {
  /** Shown with 64 × 96 pixels, red above blue; stored sideways. */
  let avif: Buffer;
  const edit = { model: "builtin-illustrator", prompt: "a meadow" };
  const dataUrl = () => `data:image/avif;base64,${avif.toString("base64")}`;

  beforeAll(async () => {
    const blue = await flat(48, 64, "#1020d0").png().toBuffer();
    avif = await sharp(await flat(96, 64, "#d02010").png().toBuffer())
      .composite([{ input: blue, left: 48, top: 0 }])
      .withMetadata({ orientation: 6 })
      .avif()
      .toBuffer();
  });

  const form = () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(edit)) body.append(name, value);
    body.append("image", new Blob([new Uint8Array(avif)], { type: "image/avif" }), "sea.avif");
    return body;
  };
  const post = (path: string, body: object | FormData) =>
    fetch(stack.url + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${client.account.key}`,
        ...(!(body instanceof FormData) && { "Content-Type": "application/json" }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });

  it("is stored as it is, with its displayed size", async () => {
    const stored = await upload(avif, "image/avif");
    expect(stored).toMatchObject({ width: 64, height: 96, format: "avif" });
    const file = await fetch(stored.url);
    expect(file.headers.get("Content-Type")).toBe("image/avif");
    expect(Buffer.from(await file.arrayBuffer()).equals(avif)).toBe(true);
  });

  it.each([
    ["as an upload", async () => ({ image: { upload_id: (await upload(avif)).id } })],
    ["as the URL of an upload", async () => ({ image: { url: (await upload(avif)).url } })],
    ["in base64", () => ({ image: { base64: avif.toString("base64") } })],
    ["as a data: URL", () => ({ image: { base64: dataUrl() } })],
    ["in a form", form],
  ])("is edited %s, upright", async (_name, source) => {
    const sent = await source();
    const body = sent instanceof FormData ? sent : { ...edit, ...sent };
    const response = await post("/v1/generate/edit", body);
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: 200 });
    const { width = 0, height = 0 } = generationResponse.parse(answer);
    expect(width / height).toBeCloseTo(64 / 96, 1);
  });

  it("is left to workers that decode it, unlike a JPEG", async () => {
    const needsOf = async (bytes: Buffer) => {
      const image = { upload_id: (await upload(bytes)).id };
      const response = await post("/v1/generate/edit", { ...edit, image });
      const { id } = generationResponse.parse(await response.json());
      return stack.database.query("SELECT needs FROM render WHERE generation_id = $1", [id]);
    };
    expect(await needsOf(avif)).toEqual([{ needs: 9 }]);
    expect(await needsOf(await flat(64, 48, "#247").jpeg().toBuffer())).toEqual([{ needs: 1 }]);
  });

  it.each([
    ["/v1/images/edits", form],
    ["/v1/images/edits", () => ({ ...edit, image: dataUrl() })],
    ["/v1/images/generations", () => ({ ...edit, image: dataUrl() })],
    [
      "/v1/chat/completions",
      () => ({
        model: edit.model,
        modalities: ["image", "text"],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: edit.prompt },
              { type: "image_url", image_url: { url: dataUrl() } },
            ],
          },
        ],
      }),
    ],
  ])("is taken by %s", async (path, body) => {
    const response = await post(path, body());
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: 200 });
    const jobId = response.headers.get("X-Service-Job-Id") ?? "";
    expect(await client.read(jobId)).toMatchObject({ status: "completed" });
  });

  it("is the image of a character that is kept", async () => {
    const { id } = await upload(avif);
    const description = { name: "Mira", description: "a sailor", reference: { upload_id: id } };
    const kept = await stack.request(client.account, "POST", "/v1/characters", description);
    expect(kept.status).toBe(201);
    const member: unknown = await kept.json();
    const { id: memberId } = member as { id: string };
    const { info } = await made("edit", { ...edit, image: { character_id: memberId } });
    expect(info.width / info.height).toBeCloseTo(64 / 96, 1);
  });

  it("that is an animation or cut off is refused with a sentence", async () => {
    const animated = Buffer.from(avif.toString("latin1").replace("ftypavif", "ftypavis"), "latin1");
    const refused = await send(animated);
    expect(refused.status).toBe(422);
    expect(await readError(refused)).toMatchObject({
      error: "upload_invalid",
      message: expect.stringContaining("without animation"),
      details: [{ reason: "animated" }],
    });
    const half = await upload(avif.subarray(0, avif.length - 20));
    const body = { ...edit, image: { upload_id: half.id } };
    const failed = await stack.request(client.account, "POST", "/v1/generate/edit", body);
    expect(failed.status).toBe(422);
    expect(await readError(failed)).toMatchObject({
      error: "reference_invalid",
      message: "image: the image is damaged or incomplete. Save it again and retry.",
    });
  });
});
