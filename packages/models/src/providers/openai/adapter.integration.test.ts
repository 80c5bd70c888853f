import { createSvgDrawer } from "@atelier/svg";
import { createOpenAiProvider } from "./openai.ts";
import type { ProviderReference } from "../../provider.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callAdapter } from "../testing/call-adapter.ts";
import { makeImage, type ProtocolServer } from "../testing/protocol-server.ts";
import { readForm } from "../testing/read-form.ts";
import { startOpenAiServer } from "./server.ts";

const apiKey = "sk-proj-atelier-test-0123456789abcdef";

describe("graphics through the OpenAI adapter", () => {
  const task = {
    kind: "graphic",
    graphic: "icon",
    palette: ["#1f6feb"],
    background: "#ffffff",
  } as const;
  const author = { model: "gpt-5.6-terra", effort: null };

  async function order(model: string, svg: typeof author | null) {
    const server = await startOpenAiServer({ apiKey });
    try {
      const provider = createOpenAiProvider({
        apiKey,
        baseUrl: `${server.url}/v1`,
        ...(svg === null ? {} : { svg: { author: svg, drawer: createSvgDrawer() } }),
      });
      const usages: unknown[] = [];
      const outcome = await callAdapter(
        provider,
        { model, prompt: "an anchor", task },
        { onUsage: (usage) => usages.push(usage) },
      );
      return { outcome, usages, call: server.calls[0] };
    } finally {
      await server.close();
    }
  }

  it("are written as SVG by the chosen model, in the colours of the request", async () => {
    const { call, outcome, usages } = await order("gpt-image-2.6-flare", author);
    expect(outcome).toMatchObject({ kind: "image", svg: expect.stringContaining("<svg") });
    const sent = JSON.parse(call?.body.toString() ?? "") as object;
    expect(sent).toMatchObject({
      output_format: "svg",
      svg: { model: "gpt-5.6-terra" },
      n: 1,
      prompt: expect.stringMatching(/an anchor[^]*#1f6feb[^]*background is #ffffff/),
    });
    // The tokens of the text model are not part of `usage`, so that its sum would be too low.
    expect(usages).toEqual([]);
  });

  it.each([
    ["without a model that writes them", "gpt-image-2.6-flare", null],
    ["for an earlier model", "gpt-image-2", author],
  ])("are refused before any call %s", async (_, model, svg) => {
    const { call, outcome } = await order(model, svg);
    expect(outcome.kind).toBe("invalid-request");
    expect(call).toBeUndefined();
  });
});

describe("edits through the OpenAI adapter", () => {
  let server: ProtocolServer;
  let references: readonly ProviderReference[];

  beforeAll(async () => {
    server = await startOpenAiServer({ apiKey });
    references = await Promise.all(
      Array.from({ length: 17 }, async (_, index) => ({
        role: "character" as const,
        name: `Person ${index + 1}`,
        description: "as in the picture",
        bytes: await makeImage({ width: 16 + index, height: 16 }, "webp", null),
        mediaType: "image/webp" as const,
      })),
    );
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  function draw(looksAt: readonly ProviderReference[]) {
    const provider = createOpenAiProvider({ apiKey, baseUrl: `${server.url}/v1`, quality: "high" });
    return provider.generate(
      {
        model: "gpt-image-2.6-flare",
        prompt: "a group in front of a lighthouse",
        aspectRatio: "9:16",
        imageSize: "1K",
        seed: 7,
        references: looksAt,
        previousTurn: { provider: "gemini" },
      },
      {
        signal: new AbortController().signal,
        key: "render-1",
        resumeRequestId: null,
        onRequestId: () => Promise.reject(new Error("has no request ids")),
      },
    );
  }

  it("sends 16 references in order with the model and labels", async () => {
    const sixteen = references.slice(0, 16);
    const outcome = await draw(sixteen);
    expect(outcome).toMatchObject({ kind: "image", turn: null });

    const call = server.calls.at(-1);
    expect(call?.path).toBe("/v1/images/edits");
    const parts = call === undefined ? null : await readForm(call);
    const images = parts?.filter(({ name }) => name === "image[]") ?? [];
    expect(images.map(({ bytes }) => bytes.toString("base64"))).toEqual(
      sixteen.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    );
    const fields = parts?.filter(({ fileName }) => fileName === null) ?? [];
    const values = Object.fromEntries(fields.map(({ bytes, name }) => [name, bytes.toString()]));
    expect(values).toEqual({
      model: "gpt-image-2.6-flare",
      prompt: expect.stringMatching(
        /^Image 1 is a reference \(character "Person 1"\): [^]*\n\na group in front of a lighthouse$/,
      ) as string,
      n: "1",
      size: "864x1536",
      quality: "high",
      complexity: "high",
      output_format: "png",
    });
    expect(values["prompt"]).toContain('Image 16 is a reference (character "Person 16")');
  });

  it.each([
    ["gpt-image-2.6-flare", { quality: "max", complexity: "low" }],
    ["gpt-image-2.5-flare", { quality: "max" }],
    ["gpt-image-2", { quality: "high" }],
  ])("sends %s only the qualities and the complexity that it takes", async (model, sent) => {
    const provider = createOpenAiProvider({
      apiKey,
      baseUrl: `${server.url}/v1`,
      quality: "max",
      complexity: "low",
    });
    expect((await callAdapter(provider, { model })).kind).toBe("image");
    const body = JSON.parse(server.calls.at(-1)?.body.toString() ?? "") as object;
    expect(body).toEqual({
      model,
      prompt: "a lighthouse in a storm",
      n: 1,
      size: "1024x1024",
      output_format: "png",
      ...sent,
    });
  });

  it("rejects a 17th reference without a call", async () => {
    const from = server.calls.length;
    expect((await draw(references)).kind).toBe("invalid-request");
    expect(server.calls.length).toBe(from);
  });

  it("sends JSON to generations without references", async () => {
    expect((await draw([])).kind).toBe("image");
    const call = server.calls.at(-1);
    expect(call?.path).toBe("/v1/images/generations");
    expect(JSON.parse(call?.body.toString() ?? "")).toEqual({
      model: "gpt-image-2.6-flare",
      prompt: "a group in front of a lighthouse",
      n: 1,
      size: "864x1536",
      quality: "high",
      complexity: "high",
      output_format: "png",
    });
  });
});
