import { createHash } from "node:crypto";
import { generationResponse, modelList, type GenerationResponse } from "@atelier/schemas";
import { assertInvariants, shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";

const body = { model: "builtin-illustrator", prompt: "a lighthouse at dusk", seed: 7 };

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack.stop());

const send = (operation: string, request: object) =>
  stack.request(client.account, "POST", `/v1/generate/${operation}`, request);

async function make(operation: string, request: object): Promise<GenerationResponse> {
  const response = await send(operation, request);
  const answer: unknown = await response.json();
  expect([response.status, answer]).toMatchObject([200, {}]);
  return generationResponse.parse(answer);
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const download = async (url = "") => (await fetch(url)).bytes();
const sizeOf = async ({ image_url }: { readonly image_url?: string | undefined }) => {
  const { width, height } = await sharp(await download(image_url)).metadata();
  return { width, height };
};

describe("output.formats", () => {
  it.each([[[]], [["webp"]], [["webp", "jpeg"]]])(
    "chooses the files besides the PNG: %j",
    async (formats) => {
      const result = await make("image", { ...body, output: { formats } });
      const expected = ["png", ...["jpeg", "webp"].filter((one) => formats.includes(one))];
      expect(Object.keys(result.formats ?? {})).toEqual(expected);
      expect(result).toMatchObject({ image_url: result.formats?.png?.url });
      const { request } = await client.read(result.id);
      expect(request["output"]).toEqual({ formats: expected.slice(1) });
    },
  );

  it("is kept by the invariants of the audit, also after the job was redacted", async () => {
    const { id } = await make("image", { ...body, output: { formats: [] } });
    await stack.request(client.account, "DELETE", `/v1/jobs/${id}/images`);
    await expect(assertInvariants(stack.database)).resolves.toBeUndefined();
  });

  it("limits the archive to the formats that were made", async () => {
    const { id } = await make("image", { ...body, output: { formats: [] } });
    const archive = (format: string) =>
      stack.request(client.account, "GET", `/v1/jobs/${id}/archive?format=${format}`);
    expect((await archive("png")).status).toBe(200);
    expect(await readError(await archive("webp"))).toMatchObject({
      error: "file_not_found",
      message: expect.stringContaining("not made as webp"),
    });
  });

  it("holds for every image of a story", async () => {
    const response = await send("story", {
      model: "builtin-illustrator",
      characters: [{ name: "Mira", description: "a girl with red hair" }],
      scenes: [{ prompt: "Mira by the sea" }, { prompt: "Mira on a hill" }],
      output: { formats: [] },
    });
    const { job_id } = (await response.json()) as { job_id: string };
    const { result } = await client.untilFinal(job_id);
    expect(result?.scenes?.map(({ formats }) => Object.keys(formats ?? {}))).toEqual([
      ["png"],
      ["png"],
    ]);
  });

  it("refuses unknown formats", async () => {
    const response = await send("image", { ...body, output: { formats: ["gif"] } });
    expect(response.status).toBe(400);
    expect((await readError(response)).message).toContain("output.formats.0");
  });
});

it("makes smaller files of lower output.quality, and the same PNG size", async () => {
  const [low, usual] = [
    await make("image", { ...body, output: { quality: 10 } }),
    await make("image", body),
  ];
  for (const format of ["jpeg", "webp"] as const) {
    const sizes = [low, usual].map(({ formats }) => formats?.[format]?.size_bytes ?? 0);
    expect(sizes[0]).toBeLessThan((sizes[1] ?? 0) / 1.5);
  }
});

describe("output.inline", () => {
  it("adds the bytes of each file to the response, and to no other", async () => {
    const result = await make("image", { ...body, output: { inline: true } });
    const files = Object.values(result.formats ?? {});
    expect(files).toHaveLength(3);
    for (const { base64 = "", hash, size_bytes, url } of files) {
      const bytes = Buffer.from(base64, "base64");
      expect([bytes.length, sha256(bytes)]).toEqual([size_bytes, hash]);
      expect(sha256(await download(url))).toBe(hash);
    }
    expect(JSON.stringify(await client.read(result.id))).not.toContain("base64");
    expect(JSON.stringify(await client.list())).not.toContain("base64");
  });

  it("sends the files of several images once, with each image", async () => {
    const result = await make("image", { ...body, n: 2, output: { formats: [], inline: true } });
    expect(result.formats?.png).not.toHaveProperty("base64");
    for (const { formats, image_hash } of result.images ?? []) {
      expect(sha256(Buffer.from(formats?.png?.base64 ?? "", "base64"))).toBe(image_hash);
    }
  });
});

describe("width and height", () => {
  const exact = { width: 1_200, height: 632 };

  it("make exactly this size, at the price of the smallest listed size that holds it", async () => {
    const result = await make("image", { ...body, ...exact });
    expect(result).toMatchObject({ ...exact, cost_eur: "0.01" });
    expect(await sizeOf(result)).toEqual(exact);
    const { request } = await client.read(result.id);
    expect(request).toMatchObject(exact);
    expect(request).not.toHaveProperty("image_size");
    expect(request).not.toHaveProperty("aspect_ratio");
    const larger = await make("image", { ...body, width: 1_600, height: 1_600 });
    expect(larger).toMatchObject({ width: 1_600, height: 1_600, cost_eur: "0.02" });
  });

  it("hold for scenes, edits and combinations", async () => {
    const scene = await make("scene", { ...body, ...exact });
    expect(await sizeOf(scene)).toEqual(exact);
    const image = { job_id: scene.id };
    const edit = await make("edit", {
      ...body,
      prompt: "at night",
      image,
      width: 640,
      height: 960,
    });
    expect(await sizeOf(edit)).toEqual({ width: 640, height: 960 });
    const images = [
      { description: "the lighthouse", job_id: scene.id },
      { description: "the night", job_id: edit.id },
    ];
    expect(await sizeOf(await make("combine", { ...body, images, ...exact }))).toEqual(exact);
  });

  it("are quoted at the same price", async () => {
    const request = { ...body, width: 1_600, height: 1_600 };
    const quote = { operation: "image", request };
    const response = await stack.request(client.account, "POST", "/v1/quotes", quote);
    expect(await response.json()).toMatchObject({ price_eur: "0.02" });
  });

  it.each([
    ["another multiple", { width: 1_001, height: 632 }, { width: 1_000, height: 632 }],
    ["too few pixels on an edge", { width: 1_000, height: 8 }, { width: 1_000, height: 512 }],
    ["too many pixels", { width: 8_192, height: 8_192 }, { width: 4_096, height: 4_096 }],
  ])("are refused for %s, with the nearest size", async (_, wanted, nearest) => {
    const response = await send("image", { ...body, ...wanted });
    expect([response.status, await readError(response)]).toMatchObject([
      422,
      {
        error: "unsupported_image_size",
        details: [{ path: "width", code: "unsupported_image_size", nearest: [nearest] }],
      },
    ]);
  });

  it("are refused by a model without sizes, with its nearest sizes", async () => {
    const response = await send("image", { model: "fake-blind", prompt: "a fox", ...exact });
    expect([response.status, await readError(response)]).toMatchObject([
      422,
      { error: "unsupported_image_size", details: [{ path: "width", nearest: [] }] },
    ]);
  });

  it("are refused with a mask, which keeps the size of the image", async () => {
    const image = { job_id: (await make("image", body)).id };
    const response = await send("edit", { ...body, image, mask: image, ...exact });
    expect([response.status, await readError(response)]).toMatchObject([
      422,
      { error: "unsupported_image_size", message: expect.stringContaining("With a mask") },
    ]);
  });

  it.each([
    [{ width: 1_024 }, "width must be given together with height"],
    [{ ...exact, image_size: "1K" }, "image_size must be absent beside width and height"],
    [{ ...exact, aspect_ratio: "1:1" }, "aspect_ratio must be absent beside width and height"],
  ])("are refused as %j", async (wanted, message) => {
    const response = await send("image", { ...body, ...wanted });
    expect([response.status, (await readError(response)).message]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });
});

it("lists the pixels of every model, which its images have", async () => {
  const response = await stack.request(client.account, "GET", "/v1/models");
  const { models } = modelList.parse(await response.json());
  const illustrator = models.find(({ id }) => id === "builtin-illustrator");
  expect(illustrator?.pixels).toHaveLength(8 * 3);
  expect(illustrator?.sizes).toEqual({
    multiple_of: 8,
    min: 512,
    max: 4_096,
    max_pixels: 16_777_216,
  });
  for (const { aspect_ratio, image_size, ...size } of illustrator?.pixels.slice(0, 3) ?? []) {
    expect(await make("image", { ...body, aspect_ratio, image_size })).toMatchObject(size);
  }
});
