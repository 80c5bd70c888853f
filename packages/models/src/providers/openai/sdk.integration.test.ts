import OpenAI, { toFile } from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProtocolServer } from "../testing/protocol-server.ts";
import { makeImage } from "../testing/protocol-server.ts";
import { startOpenAiServer } from "./server.ts";

const apiKey = "sk-proj-atelier-test-0123456789abcdef";

describe("the protocol server of OpenAI, with the vendor's own client", () => {
  let server: ProtocolServer;
  let client: OpenAI;

  beforeAll(async () => {
    server = await startOpenAiServer({ apiKey });
    client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  const image = { model: "gpt-image-2.6-flare", prompt: "a lighthouse", size: "1536x864" } as const;

  it("generates an image of the requested size", async () => {
    const { data, size } = await client.images.generate({
      ...image,
      quality: "medium",
      output_format: "webp",
    });
    const { format, height, width } = await sharp(
      Buffer.from(data?.[0]?.b64_json ?? "", "base64"),
    ).metadata();
    expect({ format, height, width, size }).toEqual({
      format: "webp",
      height: 864,
      width: 1536,
      size: "1536x864",
    });
  });

  it("edits one or several images", async () => {
    const bytes = await makeImage({ width: 64, height: 64 }, "png", null);
    const file = (name: string) => toFile(bytes, name, { type: "image/png" });
    const one = await client.images.edit({ ...image, image: await file("one.png") });
    const images = await Promise.all([file("one.png"), file("two.png")]);
    const several = await client.images.edit({ ...image, image: images });
    expect([one.data?.length, several.data?.length]).toEqual([1, 1]);
  });

  it("returns refusals that the client understands", async () => {
    server.behave({ kind: "refusal", shape: "input" });
    const failure: unknown = await client.images.generate(image).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
    expect(failure).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      type: "image_generation_user_error",
      error: { moderation_details: { moderation_stage: "input", categories: ["violence"] } },
    });
  });

  it("returns errors that the client understands: limits, keys, models, fields, failures", async () => {
    server.behave({ kind: "rate-limit", retryAfter: "7" });
    await expect(client.images.generate(image)).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
    server.behave({ kind: "server-error", status: 500, at: "order" });
    await expect(client.images.generate(image)).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    server.behave(null);
    const stranger = new OpenAI({ apiKey: "sk-other", baseURL: `${server.url}/v1`, maxRetries: 0 });
    await expect(stranger.images.generate(image)).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
    await expect(client.images.generate({ ...image, model: "gpt-image-1" })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(
      client.images.generate({ ...image, response_format: "b64_json" }),
    ).rejects.toMatchObject({ status: 400, code: "unknown_parameter" });
    await expect(client.images.generate({ ...image, size: "1000x1000" })).rejects.toMatchObject({
      status: 400,
      type: "image_generation_user_error",
    });
  });
});
