import { ApiError, GoogleGenAI, type GenerateContentResponse } from "@google/genai";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeImage, type ProtocolServer } from "../testing/protocol-server.ts";
import { startGeminiServer } from "./server.ts";

const apiKey = "AIzaSyAtelierTest0123456789abcdefghijkl";
const model = "gemini-3-pro-image";
const config = { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "3:2" }, seed: 7 };

describe("the protocol server of Gemini, with the vendor's own client", () => {
  let server: ProtocolServer;
  let client: GoogleGenAI;

  beforeAll(async () => {
    server = await startGeminiServer({ apiKey });
    client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  function pictureOf(response: GenerateContentResponse): Buffer {
    const parts = response.candidates?.[0]?.content?.parts ?? [];
    const picture = parts.find(({ inlineData, thought }) => inlineData && thought !== true);
    return Buffer.from(picture?.inlineData?.data ?? "", "base64");
  }

  it("generates an image, and another one from references", async () => {
    const first = await client.models.generateContent({ model, contents: "a lighthouse", config });
    const { height, width } = await sharp(pictureOf(first)).metadata();
    expect([width, height]).toEqual([1264, 848]);

    const data = (await makeImage({ width: 64, height: 64 }, "png", null)).toString("base64");
    const second = await client.models.generateContent({
      model,
      contents: [{ text: "the same at night" }, { inlineData: { mimeType: "image/png", data } }],
      config: { ...config, imageConfig: { aspectRatio: "1:1", imageSize: "2K" } },
    });
    expect((await sharp(pictureOf(second)).metadata()).width).toBe(2048);
  });

  it("continues an unchanged conversation and refuses a modified one", async () => {
    const chat = client.chats.create({ model, config });
    await chat.sendMessage({ message: "a lighthouse" });
    await chat.sendMessage({ message: "the same at night" });
    const third = await chat.sendMessage({ message: "the same in a storm" });
    expect(pictureOf(third).byteLength).toBeGreaterThan(0);

    const history = structuredClone(chat.getHistory());
    for (const { parts = [] } of history) for (const part of parts) delete part.thoughtSignature;
    const unsigned = client.chats.create({ model, config, history });
    await expect(unsigned.sendMessage({ message: "and now?" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("thought signature") as string,
    });
  });

  it("returns a refusal with status 200", async () => {
    const ask = () => client.models.generateContent({ model, contents: "a lighthouse", config });
    server.behave({ kind: "refusal", shape: "prompt:PROHIBITED_CONTENT" });
    expect((await ask()).promptFeedback?.blockReason).toBe("PROHIBITED_CONTENT");
    server.behave({ kind: "refusal", shape: "finish:IMAGE_SAFETY" });
    expect((await ask()).candidates?.[0]?.finishReason).toBe("IMAGE_SAFETY");
  });

  it("returns errors that the client understands: limits, keys, models, fields", async () => {
    const ask = (from: GoogleGenAI, changes: object = {}) =>
      from.models.generateContent({ model, contents: "a lighthouse", config, ...changes });
    server.behave({ kind: "rate-limit", retryAfter: "38s" });
    const limited: unknown = await ask(client).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(ApiError);
    expect(limited).toMatchObject({
      status: 429,
      message: expect.stringContaining("RESOURCE_EXHAUSTED") as string,
    });
    server.behave(null);
    const stranger = new GoogleGenAI({ apiKey: "other", httpOptions: { baseUrl: server.url } });
    await expect(ask(stranger)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("API_KEY_INVALID") as string,
    });
    await expect(ask(client, { model: "gemini-0" })).rejects.toMatchObject({ status: 404 });
    await expect(
      ask(client, { config: { ...config, imageConfig: { aspectRatio: "7:5" } } }),
    ).rejects.toMatchObject({ status: 400 });
  });
});
