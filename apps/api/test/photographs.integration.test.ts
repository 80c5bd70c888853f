import { generationResponse, upload as uploadSchema, type UploadResponse } from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack?.stop());

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

async function upload(bytes: Buffer): Promise<UploadResponse> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${client.account.key}`,
      "Content-Type": "application/octet-stream",
    },
    body: new Uint8Array(bytes),
  });
  return uploadSchema.parse(await response.json());
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
